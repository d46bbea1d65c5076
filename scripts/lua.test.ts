import { spawnSync } from "node:child_process";
import { claimScript, keepScript } from "@/lib/server/inbox/inbox";
import { bookScripts, ledgerScripts, prelude } from "@/lib/server/likes/ledger-scripts";

/* Debian's package lua-check; npm run verify installs it. */

const verbs = { ...ledgerScripts, ...bookScripts };

/** All scripts of the ledger in one, as functions below what they share: so what none of them uses is found as well. */
const ledger = [
  prelude,
  ...Object.entries(verbs).map(
    ([verb, script]) => `local function ${verb}()\n${script.slice(prelude.length)}end`,
  ),
  `return ${Object.keys(verbs).join(", ")}`,
].join("\n");

it.each([
  { name: "of the ledger", script: ledger },
  { name: "that keeps a message", script: keepScript },
  { name: "that claims a message", script: claimScript },
])("the Lua $name names nothing that does not exist, and nothing in vain", ({ script }) => {
  const options = ["--std", "lua51", "--read-globals", "redis", "cjson", "cmsgpack", "KEYS", "ARGV"];
  const { stdout, status, error } = spawnSync(
    "luacheck",
    ["-", ...options, "--no-max-line-length", "--formatter", "plain", "--codes"],
    { input: script, encoding: "utf8" },
  );
  if (error) throw new Error(`luacheck, of Debian's package lua-check, does not run: ${error.message}`);
  expect({ findings: stdout.trim().split("\n"), status }).toEqual({ findings: [""], status: 0 });
});
