import { legacyPaths, normalizePath } from "@/lib/http/routes";

/** On the not-found page, tells the server which path was opened, unless it is a known one of an earlier site. */
export function reportNotFound(root: ParentNode, path: string): void {
  if (!root.querySelector("[data-not-found]") || legacyPaths.includes(normalizePath(path))) return;
  fetch("/api/404", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
    keepalive: true,
  }).catch(() => {
    // A lost report costs the visitor nothing.
  });
}
