import "server-only";
import { createHash } from "node:crypto";
import type { Command } from "./reply";

/** @upstash/ratelimit puts this line on its scripts; only Upstash knows the flag, Redis answers "Unexpected flag". */
const upstashShebang = /^#!lua flags=allow-key-locking\s*\n/;

/**
 * Makes commands fit for a plain Redis: takes Upstash's own flag off scripts, and remembers under which hash Redis
 * knows the script that is left. Returns a function from command to command.
 */
export function createScriptRewriter(): (command: Command) => Command {
  const rewrittenHashes = new Map<string, string>();
  return (command) => {
    const [name, script, ...rest] = command;
    const verb = String(name).toLowerCase();
    if (verb === "evalsha" && typeof script === "string") {
      return [verb, rewrittenHashes.get(script) ?? script, ...rest];
    }
    if (verb !== "eval" || typeof script !== "string" || !upstashShebang.test(script)) return command;
    const stripped = script.replace(upstashShebang, "");
    rewrittenHashes.set(sha1(script), sha1(stripped));
    return [verb, stripped, ...rest];
  };
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
