import { createHash } from "node:crypto";
import { ledgerScripts } from "@/lib/server/likes/ledger-scripts";
import type { Edit, Fault, Trap } from "@/testing/servers/redis-proxy";

/** Matches a script of the ledger, sent as a hash or as text. */
export function isVerb(verb: keyof typeof ledgerScripts): Trap["matches"] {
  const script = ledgerScripts[verb];
  const hash = hashOf(script);
  return ([, first]) => first === hash || first === script;
}

/** Matches every nth command. */
export function everyNth(n: number, fault: Fault): Trap {
  let commands = 0;
  return { matches: () => ++commands % n === 0, fault };
}

function hashOf(script: string): string {
  return createHash("sha1").update(script).digest("hex");
}

/** Shifts the time in the ledger's scripts. Expiry and other commands use the real time. */
export function moveLedgerClock(offsetMs: number): Edit {
  const readTime = "local time = redis.call('TIME')";
  const offsetSeconds = Math.round(offsetMs / 1_000);
  const edits = new Map<string, string>();
  for (const script of Object.values(ledgerScripts)) {
    if (!script.includes(readTime)) throw new Error(`a ledger script does not contain: ${readTime}`);
    const edited = script.replace(readTime, `${readTime}\ntime[1] = time[1] + ${offsetSeconds}`);
    for (const name of [script, hashOf(script)]) edits.set(name, edited);
  }
  return (command) => {
    const script = edits.get(command[1] ?? "");
    return script === undefined ? command : ["eval", script, ...command.slice(2)];
  };
}
