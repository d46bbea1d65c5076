import type { AppServer } from "@/testing/servers/app-server";

/** Returns the log events of a server, each as its JSON object. */
export function parseLog(app: AppServer): Record<string, unknown>[] {
  const lines = app.output().split("\n");
  return lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Returns output lines that are neither log events nor start messages of Next.js. */
export function findUnstructuredLines(output: string): string[] {
  const expected =
    /^(?:$|▲ Next\.js|- (?:Local|Network):|✓ |\{"time":"[^"]+","level":"(?:info|warn|error)","event":"[^"]+".*\}$)/;
  const lines = output.split("\n").map((line) => line.trim());
  return lines.filter((line) => !expected.test(line));
}
