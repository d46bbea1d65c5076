/*
 * npm run quickstart: installs, builds and serves the site, by default as a demo. Ctrl-C stops everything.
 * npm run dev (--dev): the same with hot reload instead of a build.
 * --live: a local trial of live delivery. Orders go to examples/delivery-service, which runs beside the site.
 * --host ADDRESS: listens on this address, for example 0.0.0.0. By default, only this machine can connect.
 */
import { join } from "node:path";
import { ensureBuild, runPrebuild } from "./lib/build.mjs";
import { loadConfiguration } from "./lib/configuration.mjs";
import { deliveryServiceFolder, ensurePackages, requireNode } from "./lib/install.mjs";
import { isPortFree, readPort, untilHealthy } from "./lib/ports.mjs";
import { main, root, say, start, UserError } from "./lib/processes.mjs";
import { ensureRedis } from "./lib/redis.mjs";
import { forgetQuickstart, rememberQuickstart } from "./lib/quickstart-settings.mjs";
import { localSecrets } from "./lib/secrets.mjs";
import { acknowledgeTrial, startTrial, trialBuild } from "./lib/trial.mjs";

const readyTimeoutMs = 120_000;
const dev = process.argv.includes("--dev");
const live = process.argv.includes("--live");
const hostIndex = process.argv.indexOf("--host");
const host = hostIndex < 0 ? "127.0.0.1" : process.argv[hostIndex + 1];

await main(installAndServe, { cleanUp: forgetQuickstart });

async function installAndServe() {
  requireNode();
  if (!host) throw new UserError("--host needs an address, for example 0.0.0.0.");
  const port = await requirePort();
  if (live) await acknowledgeTrial();
  await ensurePackages();
  if (live) await ensurePackages(deliveryServiceFolder);
  const loaded = await loadConfiguration({ dev });
  const redis = await ensureRedis(loaded);
  const additions = {
    ...redis.env,
    ...localSecrets(loaded),
    ...(loaded.SITE_URL ? {} : { SITE_URL: `http://localhost:${port}` }),
    ...(live && trialBuild),
  };
  const configuration = { ...loaded, ...additions };
  // The build and the server load .env files and set NODE_ENV themselves.
  const env = { ...process.env, ...additions, NODE_ENV: undefined, __NEXT_PROCESSED_ENV: undefined };
  if (dev) await runPrebuild();
  else await ensureBuild(configuration, env);

  const trial = live ? await startTrial(configuration) : undefined;
  const program = join(root, "scripts", "start.mjs");
  const server = start(process.execPath, [program, dev ? "dev" : "start", host], {
    env: { ...env, PORT: String(port), ...trial?.env },
  });
  const health = `http://localhost:${port}/api/health`;
  if (!(await untilHealthy(health, server, readyTimeoutMs))) {
    throw new UserError(
      server.hasEnded()
        ? "The server did not start: its output is above."
        : `The server started, but ${health} does not answer as it should.`,
    );
  }
  rememberQuickstart({ ...additions, ...trial?.env });
  say(welcome(port, configuration, redis.description));
  const status = await Promise.race([server, trial?.service ?? server].map(({ ended }) => ended));
  throw new UserError(`The server ended by itself, with exit code ${status}.`);
}

async function requirePort() {
  const port = await readPort();
  if (await isPortFree(port)) return port;
  throw new UserError(
    `Port ${port} is in use by another program, perhaps an earlier run of this one.\n` +
      `Stop that program, or choose another port: PORT=${port === 3000 ? 3001 : port + 1} npm run ${process.env.npm_lifecycle_event ?? "quickstart"}`,
  );
}

function welcome(port, configuration, redis) {
  const lines = [
    "",
    `  Open    http://localhost:${port}`,
    `  Mode    ${modeOf(configuration)}`,
    `  Redis   ${redis}`,
    ...(hostIndex < 0
      ? []
      : ["  Others  need https for the captcha: browsers allow it on http://localhost only"]),
    ...(live ? ["  Orders  node examples/delivery-service/orders.mjs, in another terminal"] : []),
    "",
  ];
  if (!configuration.POST_LOOKUP || configuration.POST_LOOKUP === "sandbox") {
    lines.push(
      "  Links to try (the code decides what the sample post is like):",
      "    https://www.instagram.com/p/SAMPLE12345/   a public post",
      "    https://www.instagram.com/reel/SAMPLE12345/   a public reel",
      "    https://www.instagram.com/p/PRIVATE1234/   a private account",
      "",
    );
  }
  return [...lines, "  Ctrl-C stops everything.", ""].join("\n");
}

function modeOf({ LIKE_DELIVERY }) {
  if (live) return "a local trial: orders go to the example service, no likes are sent";
  return LIKE_DELIVERY === "webhook"
    ? "LIVE: likes are requested from the configured delivery service"
    : "demo, nothing is sent to Instagram";
}
