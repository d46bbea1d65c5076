import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { deliveryServiceFolder } from "./install.mjs";
import { freePort, pause, Refusal, start } from "./run.mjs";

/* Live delivery, tried on this machine: what npm run quickstart -- --live starts beside the site. */

/** What pages show of it, and a build is made with. */
export const trialBuild = { DEPLOYMENT: "trial", LIKE_DELIVERY: "webhook" };

const preferredPort = 3100;
const readyTimeoutMs = 15_000;

const statement = `
  Live delivery, as a trial on this machine. Orders go to the example service, and no likes are sent.

  Live delivery needs your statement that the likes come from real, consenting people and that the platform's terms and
  the law allow it: LIKE_DELIVERY_ACKNOWLEDGED in .env.example. What you type here counts for this run, and is not kept.

  Type yes if you make it: `;

/** Asks the person at the terminal for what live delivery has to be acknowledged with. Refuses anything but yes. */
export async function acknowledgeTrial() {
  if (!process.stdin.isTTY) {
    throw new Refusal(
      "quickstart -- --live asks for a statement that has to be typed, and there is no terminal here to type it in.",
    );
  }
  process.stdout.write(statement);
  if ((await nextLine(process.stdin))?.trim() !== "yes")
    throw new Refusal("Not acknowledged: nothing was started.");
}

/**
 * Starts the example service, with the configured LIKE_WEBHOOK_SECRET or one that is made for this run. Returns it with
 * what the site needs besides to deliver to it. No build may see that: it remembers what it was given.
 */
export async function startTrial({ LIKE_WEBHOOK_SECRET }) {
  const port = await freePort(preferredPort);
  const origin = `http://127.0.0.1:${port}`;
  const secret = LIKE_WEBHOOK_SECRET || `whsec_${randomBytes(32).toString("base64")}`;
  const service = start(process.execPath, ["server.mjs"], {
    cwd: deliveryServiceFolder,
    env: { ...process.env, PORT: String(port), LISTEN_HOST: "127.0.0.1", WEBHOOK_SECRETS: secret },
  });
  await untilHealthy(`${origin}/health`, service);
  const env = {
    LIKE_WEBHOOK_URL: `${origin}/likes`,
    LIKE_WEBHOOK_SECRET: secret,
    LIKE_DELIVERY_ACKNOWLEDGED: "yes",
  };
  return { service, env };
}

/** A line that somebody types; undefined when the input ends. Ctrl-C goes to this process, as it does elsewhere. */
async function nextLine(input) {
  const lines = createInterface({ input });
  const { value } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  return value;
}

async function untilHealthy(url, service) {
  let ended = false;
  void service.ended.then(() => (ended = true));
  const deadline = Date.now() + readyTimeoutMs;
  while (!ended && Date.now() < deadline) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await pause(100);
  }
  throw new Refusal("The example service did not start; its output is above.");
}
