/* Every navigation is a full page load. One place for it, which tests replace: jsdom cannot navigate. */

/** Opens a page of the site. */
export function goTo(path: string): void {
  window.location.assign(path);
}

/** Opens a page in place of the current one, so that Back does not return to it. */
export function replaceWith(path: string): void {
  window.location.replace(path);
}
