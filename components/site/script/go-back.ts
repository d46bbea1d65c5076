import { pages } from "@/lib/http/routes";

/** Makes buttons marked with `data-go-back` return to the page before, or home when this is the first one in the tab. */
export function listenForGoBack(document: Document): void {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest("[data-go-back]")) return;
    if (history.length > 1) history.back();
    else location.assign(pages.home.path);
  });
}
