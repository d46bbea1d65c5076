import { pages } from "@/lib/http/pages";

/** Makes `data-go-back` buttons open the previous page. Without a history, they open the home page. */
export function listenForGoBack(document: Document): void {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest("[data-go-back]")) return;
    if (history.length > 1) history.back();
    else location.assign(pages.home.path);
  });
}
