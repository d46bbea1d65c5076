import { freePort, untilHealthy } from "./ports.mjs";
import { run, start, stop } from "./processes.mjs";

/**
 * The scripts of package.json. `step` names the step of scripts/verify.mjs that runs the same program. The others run
 * with `args` in `npm run verify -- --all`. A command with `serves` starts the site.
 */
export const commands = {
  quickstart: { serves: true },
  dev: { serves: true },
  build: { step: "build" },
  start: { step: "e2e" },
  lint: { step: "lint" },
  format: {},
  typecheck: { step: "types" },
  test: { step: "jest" },
  "test:e2e": { step: "e2e" },
  "test:serverless": {},
  "test:docker": {},
  verify: { step: "all steps" },
  release: { step: "e2e" },
  doctor: { args: ["--demo"] },
  ledger: { args: ["--demo", "budget"] },
  inbox: { args: ["--demo", "list"] },
  "not-found": { args: ["--demo"] },
  "check-receiver": { step: "e2e" },
  bench: {},
  model: {},
  shots: { args: ["home"] },
  chaos: {},
};

/** Runs a command of the table. Returns its exit status, or 0 if the site that it serves has started. */
export async function runCommand(name, env) {
  const { serves, args = [] } = commands[name];
  if (!serves) return run("npm", ["run", name, "--", ...args], { env });
  const port = await freePort(3210);
  const site = start("npm", ["run", name], { env: { ...env, PORT: String(port) } });
  const passed = await untilHealthy(`http://localhost:${port}/api/health`, site, 300_000);
  await stop(site);
  return passed ? 0 : 1;
}
