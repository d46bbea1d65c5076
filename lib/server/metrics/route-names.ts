import "server-only";

/** Names of all API routes. The log and the metrics record these names instead of request paths. */
export const routeNames = [
  "verify",
  "challenge",
  "sitekey",
  "post-details",
  "status",
  "like",
  "receipt",
  "daily-usage",
  "contact",
  "feedback",
  "issue",
  "404",
  "share",
  "health",
  "metrics",
  "reconcile",
] as const;

export type RouteName = (typeof routeNames)[number];
