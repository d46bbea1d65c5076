/*
 * npm run quickstart: installs, builds and serves the site, by default as a demo. Ctrl-C stops everything.
 * npm run dev (--dev): the same with hot reload instead of a build.
 * --live: a local trial of live delivery. Orders go to examples/delivery-service, which runs beside the site.
 * --host ADDRESS: listens on this address, for example 0.0.0.0. By default, only this machine can connect.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureBuild } from "./lib/build.mjs";
import { deliveryServiceFolder, ensurePackages, requireNode } from "./lib/install.mjs";
import { forgetSettings, localSettings, rememberSettings } from "./lib/local-site.mjs";
import { freePort, isPortFree, readPort, untilHealthy } from "./lib/ports.mjs";
import { main, root, run, start, UserError } from "./lib/processes.mjs";
import { loadConfiguration } from "./lib/settings-file.mjs";

const dev = process.argv.includes("--dev");
const live = process.argv.includes("--live");
const hostIndex = process.argv.indexOf("--host");
const host = hostIndex < 0 ? "127.0.0.1" : process.argv[hostIndex + 1];

await main(installAndServe, { cleanUp: forgetSettings, interruptedStatus: 0 });

async function installAndServe() {
  requireNode();
  if (!host) throw new UserError("--host needs an address, for example 0.0.0.0.");
  const port = await requirePort();
  if (live) await acknowledgeTrial();
  await ensurePackages();
  if (live) await ensurePackages(deliveryServiceFolder);
  const loaded = await loadConfiguration({ dev });
  const additions = {
    ...(await localSettings(loaded)),
    ...(loaded.SITE_URL ? {} : { SITE_URL: `http://localhost:${port}` }),
    ...(live && { DEPLOYMENT: "trial", LIKE_DELIVERY: "webhook" }),
  };
  const configuration = { ...loaded, ...additions };
  // The build and the server load .env files and set NODE_ENV themselves.
  const env = { ...process.env, ...additions, NODE_ENV: undefined, __NEXT_PROCESSED_ENV: undefined };
  if (!dev) await ensureBuild(configuration, env);
  else if ((await run("npm", ["run", "prebuild"])) !== 0)
    throw new UserError("npm run prebuild failed; the error is above.");

  const trial = live ? await startTrial(configuration) : undefined;
  const server = start(
    process.execPath,
    [join(root, "scripts", "start.mjs"), dev ? "dev" : "start", host],
    // A build must not get the settings of the trial, because its output would contain the secret.
    { env: { ...env, PORT: String(port), ...trial?.settings } },
  );
  const health = `http://localhost:${port}/api/health`;
  if (!(await untilHealthy(health, server, 120_000))) {
    throw new UserError(
      server.hasEnded()
        ? "The server did not start: its output is above."
        : `The server started, but ${health} does not answer as it should.`,
    );
  }
  rememberSettings({ ...additions, ...trial?.settings });
  console.log(welcome(port, configuration, additions.REDIS_URL));
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

/** Prints the statement that live delivery needs. Throws unless the user types yes. */
async function acknowledgeTrial() {
  if (!process.stdin.isTTY) {
    throw new UserError(
      "quickstart -- --live asks for a statement that has to be typed, and there is no terminal here to type it in.",
    );
  }
  process.stdout.write(`
  Live delivery, as a trial on this machine. Orders go to the example service, and no likes are sent.

  Live delivery needs your statement that the likes come from real, consenting people and that the platform's terms and
  the law allow it: LIKE_DELIVERY_ACKNOWLEDGED in .env.example. What you type here counts for this run, and is not kept.

  Type yes if you make it: `);
  const input = createInterface({ input: process.stdin });
  const [line = ""] = await Promise.race([once(input, "line"), once(input, "close")]);
  input.close();
  if (line.trim() !== "yes") throw new UserError("Not acknowledged: nothing was started.");
}

/** Starts the example service. Returns its process, and the settings with which the site sends orders to it. */
async function startTrial({ LIKE_WEBHOOK_SECRET }) {
  const port = await freePort(3100);
  const origin = `http://127.0.0.1:${port}`;
  const secret = LIKE_WEBHOOK_SECRET || `whsec_${randomBytes(32).toString("base64")}`;
  const service = start(process.execPath, ["server.mjs"], {
    cwd: deliveryServiceFolder,
    env: { ...process.env, PORT: String(port), LISTEN_HOST: "127.0.0.1", WEBHOOK_SECRETS: secret },
  });
  if (!(await untilHealthy(`${origin}/health`, service, 15_000)))
    throw new UserError("The example service did not start; its output is above.");
  const settings = {
    LIKE_WEBHOOK_URL: `${origin}/likes`,
    LIKE_WEBHOOK_SECRET: secret,
    LIKE_DELIVERY_ACKNOWLEDGED: "yes",
  };
  return { service, settings };
}

function welcome(port, { LIKE_DELIVERY, POST_LOOKUP }, localRedis) {
  const liveMode = "LIVE: likes are requested from the configured delivery service";
  const mode = LIKE_DELIVERY === "webhook" ? liveMode : "demo, nothing is sent to Instagram";
  const lines = [
    "",
    `  Open    http://localhost:${port}`,
    `  Mode    ${live ? "a local trial: orders go to the example service, no likes are sent" : mode}`,
    `  Redis   ${localRedis ? `${new URL(localRedis).host}, data in .data/redis` : "the configured one"}`,
    ...(hostIndex < 0
      ? []
      : ["  Others  need https for the captcha: browsers allow it on http://localhost only"]),
    ...(live ? ["  Orders  node examples/delivery-service/orders.mjs, in another terminal"] : []),
    "",
  ];
  if ((POST_LOOKUP || "sandbox") === "sandbox") {
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
