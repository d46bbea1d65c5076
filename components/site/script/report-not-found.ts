import { legacyPaths, normalizePath } from "@/lib/http/pages";

/** On a 404 page, reports the path to the server. The 404 statistics ignore the `legacyPaths`. */
export function reportNotFound(root: ParentNode, path: string): void {
  if (!root.querySelector("[data-not-found]") || legacyPaths.includes(normalizePath(path))) return;
  fetch("/api/404", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
    keepalive: true,
  }).catch(() => {
    // Ignores network errors, because the page does not need the response.
  });
}
