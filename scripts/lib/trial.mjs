import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { deliveryServiceFolder } from "./install.mjs";
import { freePort, untilHealthy } from "./ports.mjs";
import { start, UserError } from "./processes.mjs";

/* The local trial of live delivery, which npm run quickstart -- --live starts with the site. */

/** Settings of the build for the trial. */
export const trialBuild = { DEPLOYMENT: "trial", LIKE_DELIVERY: "webhook" };

const preferredPort = 3100;
const readyTimeoutMs = 15_000;

const statement = `
  Live delivery, as a trial on this machine. Orders go to the example service, and no likes are sent.

  Live delivery needs your statement that the likes come from real, consenting people and that the platform's terms and
  the law allow it: LIKE_DELIVERY_ACKNOWLEDGED in .env.example. What you type here counts for this run, and is not kept.

  Type yes if you make it: `;

/** Prints the statement that live delivery needs. Throws unless the user types yes. */
export async function acknowledgeTrial() {
  if (!process.stdin.isTTY) {
    throw new UserError(
      "quickstart -- --live asks for a statement that has to be typed, and there is no terminal here to type it in.",
    );
  }
  process.stdout.write(statement);
  const input = createInterface({ input: process.stdin });
  const [line = ""] = await Promise.race([once(input, "line"), once(input, "close")]);
  input.close();
  if (line.trim() !== "yes") throw new UserError("Not acknowledged: nothing was started.");
}

/**
 * Starts the example service with LIKE_WEBHOOK_SECRET or a new secret. Returns its process, and the settings with which
 * the site sends orders to it. Builds must not get these settings, because their output would contain the secret.
 */
export async function startTrial({ LIKE_WEBHOOK_SECRET }) {
  const port = await freePort(preferredPort);
  const origin = `http://127.0.0.1:${port}`;
  const secret = LIKE_WEBHOOK_SECRET || `whsec_${randomBytes(32).toString("base64")}`;
  const service = start(process.execPath, ["server.mjs"], {
    cwd: deliveryServiceFolder,
    env: { ...process.env, PORT: String(port), LISTEN_HOST: "127.0.0.1", WEBHOOK_SECRETS: secret },
  });
  if (!(await untilHealthy(`${origin}/health`, service, readyTimeoutMs)))
    throw new UserError("The example service did not start; its output is above.");
  const env = {
    LIKE_WEBHOOK_URL: `${origin}/likes`,
    LIKE_WEBHOOK_SECRET: secret,
    LIKE_DELIVERY_ACKNOWLEDGED: "yes",
  };
  return { service, env };
}
