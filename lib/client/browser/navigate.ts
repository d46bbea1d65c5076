/* Every navigation is a full page load. Tests mock this module, because jsdom does not support navigation. */

/** Loads a page of the site. */
export function goTo(path: string): void {
  window.location.assign(path);
}

/** Loads the current page again. The server may then redirect to another page. */
export function reloadPage(): void {
  window.location.reload();
}

/** Loads a page and replaces the current history entry, so that the Back button skips this page. */
export function replaceWith(path: string): void {
  window.location.replace(path);
}
