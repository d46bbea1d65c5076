import type { AppServer } from "@/testing/servers/app-server";

/** Returns the log events of a server, each as its JSON object. */
export function parseLog(app: AppServer): Record<string, unknown>[] {
  const lines = app.output().split("\n");
  return lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
