import { spawnSync } from "node:child_process";
import { useTokenScript } from "@/lib/server/captcha/check-captcha";
import { countSharesScript, lookupScript } from "@/lib/server/http/rate-limits";
import { inboxPrelude, inboxScripts } from "@/lib/server/inbox/inbox-scripts";
import { ledgerScripts, ledgerPrelude } from "@/lib/server/likes/ledger-scripts";

/* luacheck is in Debian's package lua-check, which npm run verify installs. */

/** Combines the scripts as functions below their shared code, so that luacheck also finds unused shared code. */
function inOne(shared: string, scripts: Record<string, string>): string {
  return [
    shared,
    ...Object.entries(scripts).map(
      ([verb, script]) => `local function ${verb}()\n${script.slice(shared.length)}end`,
    ),
    `return ${Object.keys(scripts).join(", ")}`,
  ].join("\n");
}

it.each([
  { name: "of the ledger", script: inOne(ledgerPrelude, ledgerScripts) },
  { name: "of the inbox", script: inOne(inboxPrelude, inboxScripts) },
  { name: "of the captcha", script: useTokenScript },
  { name: "of the rate limits", script: countSharesScript },
  { name: "of the lookups", script: lookupScript },
])("uses only defined names, and all of them, in the Lua scripts $name", ({ script }) => {
  const options = ["--std", "lua51", "--read-globals", "redis", "cjson", "cmsgpack", "KEYS", "ARGV"];
  const { stdout, status, error } = spawnSync(
    "luacheck",
    ["-", ...options, "--no-max-line-length", "--formatter", "plain", "--codes"],
    { input: script, encoding: "utf8" },
  );
  if (error) throw new Error(`luacheck, of Debian's package lua-check, does not run: ${error.message}`);
  expect({ findings: stdout.trim().split("\n"), status }).toEqual({ findings: [""], status: 0 });
});
