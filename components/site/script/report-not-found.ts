import { legacyPaths, normalizePath } from "@/lib/routes";

/**
 * On the not-found page, marked with `data-not-found`, tells the server which path was opened. Paths of earlier sites
 * are known, and not reported.
 */
export function reportNotFound(root: ParentNode, path: string): void {
  if (!root.querySelector("[data-not-found]") || legacyPaths.includes(normalizePath(path))) return;
  fetch("/api/404", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
    keepalive: true,
  }).catch(() => {
    // The visitor lost nothing by it.
  });
}
