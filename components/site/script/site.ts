/* The site script, which every page loads before other scripts. scripts/build-browser-scripts.mjs bundles this file. */
import { watchIslands } from "@/components/site/script/islands";
import { enhanceTabs } from "@/components/site/script/tabs";
import { removeServiceWorkers } from "@/lib/client/browser/interfaces";
import { formatDay } from "@/lib/content/site";
import { legacyPaths, normalizePath, pages } from "@/lib/http/pages";

watchIslands();
watchMenus();
enhanceTabs();
showToday();
document.addEventListener("click", goBack);
reportNotFound(location.pathname);
removeServiceWorkers();

/**
 * Keeps the focus in the open phone menu, and closes the menus when the visitor leaves, because a browser that restores the
 * page would show them open.
 */
function watchMenus(): void {
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

/** Sets every `<time data-today>` to the local date. The server-rendered HTML contains the build date. */
function showToday(): void {
  // Swedish dates have the format of ISO 8601.
  const day = new Date().toLocaleDateString("sv");
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-today]")) {
    time.dateTime = day;
    time.textContent = formatDay(day);
  }
}

/** Makes `data-go-back` buttons open the previous page. Without a history, they open the home page. */
function goBack({ target }: Event): void {
  if (!(target instanceof Element) || !target.closest("[data-go-back]")) return;
  if (history.length > 1) history.back();
  else location.assign(pages.home.path);
}

/** On a 404 page, reports the path to the server. The 404 statistics ignore the `legacyPaths`. */
function reportNotFound(path: string): void {
  if (!document.querySelector("[data-not-found]") || legacyPaths.includes(normalizePath(path))) return;
  fetch("/api/404", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
    keepalive: true,
  }).catch(() => {
    // Ignores network errors, because the page does not need the response.
  });
}
