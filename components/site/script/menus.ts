/**
 * Keeps the focus in the open phone menu, and closes the menus when the visitor leaves, because a browser that restores the
 * page would show them open.
 */
export function watchMenus(): void {
  const onToggle = ({ target, newState }: ToggleEvent) => {
    if (!(target as Element).matches(".site-menu-slide")) return;
    // The last one is the cookie question.
    for (const each of document.querySelectorAll<HTMLElement>("main, footer, #cc-main"))
      each.inert = newState === "open";
  };
  document.addEventListener("toggle", onToggle, true);
  addEventListener("pagehide", () => {
    for (const menu of document.querySelectorAll<HTMLElement>(".site-menu")) menu.hidePopover?.();
  });
}
