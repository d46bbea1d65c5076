import { z } from "zod";
import { until } from "../until";

const commandTimeoutMs = 60_000;
/** A page in the back/forward cache never runs its script, so the timeout of scripts is short. */
const scriptTimeoutMs = 4_000;

const responseSchema = z.object({ value: z.unknown() });
const sessionSchema = z.object({ sessionId: z.string() });
const errorSchema = z.object({ error: z.string(), message: z.string() });

/** A WebDriver session. Commands: https://www.w3.org/TR/webdriver2/#endpoints */
export interface WebDriverSession {
  post(command: string, body?: object): Promise<unknown>;
  /** Runs the body of a function in the page. */
  run(body: string, args?: unknown[]): Promise<unknown>;
  /** Closes the browser. */
  end(): Promise<unknown>;
}

/** Waits until the driver listens, and starts a browser with these capabilities. */
export async function startSession(driverUrl: string, capabilities: object): Promise<WebDriverSession> {
  const isListening = () =>
    send("GET", `${driverUrl}/status`).then(
      () => true,
      () => false,
    );
  await until("the WebDriver server listens", isListening, 20_000);
  const started = await send("POST", `${driverUrl}/session`, { capabilities: { alwaysMatch: capabilities } });
  const url = `${driverUrl}/session/${sessionSchema.parse(started).sessionId}`;
  return {
    post: (command, body = {}) => send("POST", url + command, body),
    run: (body, args = []) => send("POST", `${url}/execute/sync`, { script: body, args }, scriptTimeoutMs),
    end: () => send("DELETE", url),
  };
}

async function send(
  method: string,
  url: string,
  body?: object,
  timeoutMs = commandTimeoutMs,
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    body: body && JSON.stringify(body),
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { value } = responseSchema.parse(await response.json());
  if (response.ok) return value;
  const { error, message } = errorSchema.parse(value);
  throw new Error(`${method} ${new URL(url).pathname}: ${error}, ${message}`);
}
