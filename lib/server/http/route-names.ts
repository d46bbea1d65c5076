import "server-only";

/** Every route of the API by its name in the log and in the metrics, which keep no path that somebody asked for. */
export const routeNames = [
  "verify",
  "challenge",
  "sitekey",
  "post-details",
  "status",
  "like",
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
