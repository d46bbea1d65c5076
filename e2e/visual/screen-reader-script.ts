/* Runs in the browser: screen-reader.ts bundles this file. */
import { virtual } from "@guidepup/virtual-screen-reader";

document.addEventListener("DOMContentLoaded", async () => {
  await virtual.start({ container: document.body });
  // The page may have moved the focus before the screen reader started.
  const focused = document.activeElement;
  if (focused !== document.body) focused?.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
});

export { virtual };
