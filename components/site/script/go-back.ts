import { pages } from "@/lib/http/pages";

/** A click on a `data-go-back` button opens the previous page, or the home page if the tab has no history. */
export function listenForGoBack(document: Document): void {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest("[data-go-back]")) return;
    if (history.length > 1) history.back();
    else location.assign(pages.home.path);
  });
}
