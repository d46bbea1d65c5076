import "server-only";

type Level = "info" | "warn" | "error";
type Fields = Record<string, string | number | boolean | undefined>;

/**
 * Structured log lines: one JSON object each, on standard output (errors on standard error). Callers pass fields by
 * name; addresses, fingerprints, links, cookies and messages of errors from outside have no place in them.
 */
export const log = {
  info: (event: string, fields?: Fields) => write("info", event, fields),
  warn: (event: string, fields?: Fields) => write("warn", event, fields),
  error: (event: string, fields?: Fields) => write("error", event, fields),
};

function write(level: Level, event: string, fields: Fields = {}): void {
  const line = `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`;
  (level === "error" ? process.stderr : process.stdout).write(line);
}
