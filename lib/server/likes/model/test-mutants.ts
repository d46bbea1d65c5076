import { adminScripts, ledgerPrelude, ledgerScripts } from "../ledger-scripts";

/** A fault in the Lua code of the ledger. */
export interface Mutant {
  /** Script, line and change, for example "reserve 12: < -> <=: if count < cap then". */
  description: string;
  /** Plants the fault in a script. Other scripts stay the same. */
  plant: (script: string) => string;
}

const comparisons: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "==": "~=",
  "~=": "==",
};
const comparison = /<=|>=|==|~=|<|>/g;
const constant = /(?<![\w.'"])\d+(?!\w)/g;
/** A line that is one write: a command, a function that writes, or an assignment to a record. */
const write =
  /^\s*(?:redis\.call\('(?:SET|DEL|ZADD|ZREM|PEXPIRE|DECRBY|RPUSH|LTRIM)'.*|(?:write|add|detach|store|abandon|lease)\w*\(.*\)|[\w.]+(?:\[[^\]]*\])? = .*|[\w.]+\.[\w.]+, .* = .*)$/;

/** Returns one mutant for each comparison, each constant and each write of the scripts. */
export function findMutants(): Mutant[] {
  const bodies = Object.entries({ ...ledgerScripts, ...adminScripts }).map(
    ([name, script]) => [name, script.slice(ledgerPrelude.length)] as const,
  );
  return [["prelude", ledgerPrelude] as const, ...bodies].flatMap(([name, code]) => mutantsOf(name, code));
}

function mutantsOf(name: string, code: string): Mutant[] {
  let offset = 0;
  return code.split("\n").flatMap((line, n) => {
    const start = offset;
    offset += line.length + 1;
    if (line.trimStart().startsWith("--")) return [];
    const mutant = (at: number, from: string, to: string): Mutant => {
      const changed = code.slice(0, start + at) + to + code.slice(start + at + from.length);
      return {
        description: `${name} ${n}: ${from.trim()} -> ${to || "nothing"}: ${line.trim()}`,
        plant: (script) => script.replace(code, () => changed),
      };
    };
    return [
      ...Array.from(line.matchAll(comparison), ({ 0: from, index }) =>
        mutant(index, from, comparisons[from]!),
      ),
      ...Array.from(line.matchAll(constant), ({ 0: from, index }) =>
        mutant(index, from, String(Number(from) + 1)),
      ),
      ...(write.test(line) ? [mutant(0, line, "")] : []),
    ];
  });
}
