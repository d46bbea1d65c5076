import { legacyPaths, normalizePath } from "@/lib/http/routes";

/** Reports the path of a 404 page to the server, except for known paths of an earlier version of the site. */
export function reportNotFound(root: ParentNode, path: string): void {
  if (!root.querySelector("[data-not-found]") || legacyPaths.includes(normalizePath(path))) return;
  fetch("/api/404", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
    keepalive: true,
  }).catch(() => {
    // The report is optional, so a network error has no effect.
  });
}
