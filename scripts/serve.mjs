/*
 * npm run quickstart: from a clean clone to a running site, in demo mode unless configured otherwise, and on Ctrl-C back
 * to nothing running. npm run dev, with --dev: the same without a build and with hot reload. With --live it is a local
 * trial of live delivery: orders go to examples/delivery-service, which runs beside the site.
 */
import { join } from "node:path";
import { makeAssets, ensureBuild } from "./lib/build.mjs";
import { loadConfiguration } from "./lib/configuration.mjs";
import { deliveryServiceFolder, ensurePackages, requireNode } from "./lib/install.mjs";
import { ensureRedis, releaseRedis } from "./lib/redis.mjs";
import { isPortFree, main, pause, Refusal, root, say, start } from "./lib/run.mjs";
import { localSecrets } from "./lib/secrets.mjs";
import { acknowledgeTrial, startTrial, trialBuild } from "./lib/trial.mjs";

const httpServer = join(root, "scripts", "http-server.mjs");
const readyTimeoutMs = 120_000;

const dev = process.argv.includes("--dev");
const live = process.argv.includes("--live");

await main(installAndServe, { cleanUp: releaseRedis });

async function installAndServe(interrupted) {
  requireNode();
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
  const env = childEnvironment(additions);
  if (dev) await makeAssets();
  else await ensureBuild(configuration, env);

  const trial = live ? await startTrial(configuration) : undefined;
  const server = start(process.execPath, [httpServer, dev ? "dev" : "start"], {
    env: { ...env, PORT: String(port), ...trial?.env },
  });
  await untilHealthy(port, server);
  say(welcome(port, configuration, redis.description));
  const { code } = await Promise.race(trial ? [server.ended, trial.service.ended] : [server.ended]);
  if (!interrupted()) throw new Refusal(`The server ended by itself, with exit code ${code}.`);
}

/** Next.js loads .env files itself; here is only what they leave out. */
function childEnvironment(additions) {
  const env = { ...process.env, ...additions };
  // Next.js sets the right one for each of its commands.
  delete env.NODE_ENV;
  delete env.__NEXT_PROCESSED_ENV;
  return env;
}

async function requirePort() {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Refusal("PORT must be a number from 1 to 65535.");
  }
  if (await isPortFree(port)) return port;
  throw new Refusal(
    `Port ${port} is in use by another program, perhaps an earlier run of this one.\n` +
      `Stop that program, or choose another port: PORT=${port === 3000 ? 3001 : port + 1} npm run ${process.env.npm_lifecycle_event ?? "quickstart"}`,
  );
}

/** Waits for the site's own word that it is up; start-up errors are on the screen already. */
async function untilHealthy(port, server) {
  let ended = false;
  void server.ended.then(() => (ended = true));
  const deadline = Date.now() + readyTimeoutMs;
  while (!ended && Date.now() < deadline) {
    if (await isHealthy(port)) return;
    await pause(150);
  }
  throw new Refusal(
    ended
      ? "The server did not start: its output is above."
      : `The server started, but http://localhost:${port}/api/health does not answer as it should.`,
  );
}

async function isHealthy(port) {
  try {
    const response = await fetch(`http://localhost:${port}/api/health`, {
      signal: AbortSignal.timeout(30_000),
    });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

function welcome(port, configuration, redis) {
  const lines = [
    "",
    `  Open    http://localhost:${port}`,
    `  Mode    ${modeOf(configuration)}`,
    `  Redis   ${redis}`,
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
