/**
 * Returns true if the request opens a page in a tab. Returns false for a prefetch or prerender, and for images, frames and
 * fetches, which pages of other origins can request without the visitor.
 */
export function isNavigation(headers: Headers): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "";
  const destination = headers.get("sec-fetch-dest") ?? "document";
  return !/prefetch|prerender|preview/i.test(purpose) && destination === "document";
}
