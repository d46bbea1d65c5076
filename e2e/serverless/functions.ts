import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, realpathSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

export interface FunctionOptions {
  /** Number of instances of each function. They respond in turn. */
  instances: number;
  /** Freezes an instance when it has no request, as hosts do that bill by the second. */
  freezes: boolean;
}

export interface FunctionRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export interface HostResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** `cold` is true for the first request of an instance. */
type FunctionResponse = HostResponse & { cold: boolean };

/** Time limit of a function if the output sets none. */
const defaultSeconds = 300;

/** The functions of an output. Their instances start at their first request. */
export class Functions {
  readonly #instances = new Map<string, Instance[]>();
  readonly #options: FunctionOptions;
  #calls = 0;

  constructor(options: FunctionOptions) {
    this.#options = options;
  }

  /** Sends a request to an instance of the function in `folder`. Responds 504 after its time limit. */
  call(folder: string, request: FunctionRequest): Promise<FunctionResponse> {
    // A function can have several names, which are links to one folder.
    const target = realpathSync(folder);
    const running = this.#instances.get(target) ?? [];
    this.#instances.set(target, running);
    const index = this.#calls++ % this.#options.instances;
    if (!running[index] || running[index].hasEnded)
      running[index] = new Instance(target, this.#options.freezes);
    return running[index].respond(request);
  }

  /** Kills all instances. */
  stop(): void {
    for (const instance of [...this.#instances.values()].flat()) instance?.stop();
    this.#instances.clear();
  }
}

class Instance {
  readonly #child: ChildProcess;
  readonly #port: Promise<number>;
  readonly #seconds: number;
  readonly #freezes: boolean;
  #open = 0;
  #requests = 0;
  hasEnded = false;

  constructor(folder: string, freezes: boolean) {
    const configuration = JSON.parse(readFileSync(join(folder, ".vc-config.json"), "utf8")) as {
      maxDuration?: number;
    };
    this.#seconds = configuration.maxDuration ?? defaultSeconds;
    this.#freezes = freezes;
    this.#child = fork(join(__dirname, "instance.mjs"), [folder], { cwd: folder, execArgv: [] });
    this.#child.once("exit", () => (this.hasEnded = true));
    this.#port = once(this.#child, "message").then(([message]) => (message as { port: number }).port);
  }

  async respond(call: FunctionRequest): Promise<FunctionResponse> {
    const cold = this.#requests++ === 0;
    this.#open += 1;
    this.#child.kill("SIGCONT");
    try {
      return { ...(await send(await this.#port, call, this.#seconds)), cold };
    } catch (error) {
      if ((error as Error).name !== "TimeoutError")
        return { ...failure(500, "FUNCTION_INVOCATION_FAILED"), cold };
      this.stop();
      return { ...failure(504, "FUNCTION_INVOCATION_TIMEOUT"), cold };
    } finally {
      this.#open -= 1;
      if (this.#freezes && this.#open === 0) this.#child.kill("SIGSTOP");
    }
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }
}

function failure(status: number, code: string): HostResponse {
  return { status, headers: { "x-vercel-error": code }, body: Buffer.alloc(0) };
}

/** Headers that belong to the connection between host and function. */
const connectionHeaders = ["connection", "keep-alive", "transfer-encoding"];

/** Rejects with a TimeoutError after `seconds`. */
function send(
  port: number,
  { method, target, headers, body }: FunctionRequest,
  seconds: number,
): Promise<HostResponse> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(seconds * 1_000);
    const fail = (error: Error) => reject(signal.aborted ? (signal.reason as Error) : error);
    const options = { host: "127.0.0.1", port, method, path: target, headers, agent: false, signal };
    const outgoing = request(options, (response) => {
      const kept = Object.entries(response.headers).filter(
        (entry): entry is [string, string | string[]] =>
          entry[1] !== undefined && !connectionHeaders.includes(entry[0]),
      );
      buffer(response).then(
        (data) =>
          resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(kept), body: data }),
        fail,
      );
    });
    outgoing.on("error", fail).end(body);
  });
}
