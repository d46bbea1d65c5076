import { z } from "zod";

const startTimeoutMs = 20_000;
const commandTimeoutMs = 60_000;
/** A script that was sent to a page while the browser kept it away in memory is never answered: it is given up early. */
const scriptTimeoutMs = 4_000;

const answerShape = z.object({ value: z.unknown() });
const sessionShape = z.object({ sessionId: z.string() });
const errorShape = z.object({ error: z.string(), message: z.string() });

/** A session of plain WebDriver, by its commands: https://www.w3.org/TR/webdriver2/#endpoints */
export interface WebDriverSession {
  get(command: string): Promise<unknown>;
  post(command: string, body?: object): Promise<unknown>;
  /** Runs the body of a function in the page. */
  run(body: string, args?: unknown[]): Promise<unknown>;
  /** Closes the browser. */
  end(): Promise<unknown>;
}

/** Waits for the driver to listen, and has it start a browser with these capabilities. */
export async function startSession(driverUrl: string, capabilities: object): Promise<WebDriverSession> {
  await untilListening(driverUrl);
  const started = await send("POST", `${driverUrl}/session`, { capabilities: { alwaysMatch: capabilities } });
  const { sessionId } = sessionShape.parse(started);
  const url = `${driverUrl}/session/${sessionId}`;
  return {
    get: (command) => send("GET", url + command),
    post: (command, body = {}) => send("POST", url + command, body),
    run: (body, args = []) => send("POST", `${url}/execute/sync`, { script: body, args }, scriptTimeoutMs),
    end: () => send("DELETE", url),
  };
}

async function untilListening(driverUrl: string): Promise<void> {
  for (const end = performance.now() + startTimeoutMs; ;) {
    try {
      await send("GET", `${driverUrl}/status`);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
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
  const { value } = answerShape.parse(await response.json());
  if (response.ok) return value;
  const { error, message } = errorShape.parse(value);
  throw new Error(`${method} ${new URL(url).pathname}: ${error}, ${message}`);
}
