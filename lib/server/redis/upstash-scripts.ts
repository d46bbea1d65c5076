import "server-only";
import { createHash } from "node:crypto";
import type { Command } from "./reply";

/** Matches the first line of the scripts in @upstash/ratelimit. Other Redis servers reject this line. */
const upstashShebang = /^#!lua flags=allow-key-locking\s*\n/;

/** Creates a function that removes the Upstash line from EVAL scripts and replaces their EVALSHA hashes. */
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
