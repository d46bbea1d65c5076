import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { HostOptions } from "@/testing/servers/serverless-site";

export interface FunctionRequest {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface HostResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The functions of an output. Their instances start at their first request. */
export class Functions {
  readonly #instances = new Map<string, Instance>();
  readonly #options: HostOptions;
  #calls = 0;

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** Sends a request to an instance of the function in `folder`. */
  call(folder: string, request: FunctionRequest): Promise<HostResponse> {
    const { instances = 1, freezes = false } = this.#options;
    // A function can have several names, which are links to one folder.
    const target = realpathSync(folder);
    const key = `${target} ${this.#calls++ % instances}`;
    let instance = this.#instances.get(key);
    if (!instance || instance.hasEnded) {
      instance = new Instance(target, freezes);
      this.#instances.set(key, instance);
    }
    return instance.respond(request);
  }

  /** Kills all instances. */
  stop(): void {
    for (const instance of this.#instances.values()) instance.stop();
    this.#instances.clear();
  }
}

class Instance {
  readonly #child: ChildProcess;
  readonly #port: Promise<number>;
  readonly #freezes: boolean;
  #openRequests = 0;
  hasEnded = false;

  constructor(folder: string, freezes: boolean) {
    this.#freezes = freezes;
    this.#child = fork(join(__dirname, "instance.mjs"), [folder], { cwd: folder, execArgv: [] });
    this.#port = new Promise((resolve, reject) => {
      this.#child.once("message", (message) => resolve((message as { port: number }).port));
      // An instance that refuses its settings ends before it listens.
      this.#child.once("exit", () => {
        this.hasEnded = true;
        reject(new Error("The instance has ended."));
      });
    });
  }

  async respond(request: FunctionRequest): Promise<HostResponse> {
    this.#openRequests += 1;
    this.#child.kill("SIGCONT");
    try {
      return await send(await this.#port, request);
    } catch {
      return { status: 500, headers: {}, body: Buffer.alloc(0) };
    } finally {
      this.#openRequests -= 1;
      if (this.#freezes && this.#openRequests === 0) this.#child.kill("SIGSTOP");
    }
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }
}

async function send(port: number, request: FunctionRequest): Promise<HostResponse> {
  const { method, query, headers, body } = request;
  const path = query ? `${request.path}?${query}` : request.path;
  const outgoing = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false });
  // An instance that is killed during its response causes this event, too.
  outgoing.on("error", () => undefined).end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const sent = { ...response.headers };
  // These headers belong to the connection between host and function.
  for (const name of ["connection", "keep-alive", "transfer-encoding"]) delete sent[name];
  return { status: response.statusCode ?? 0, headers: sent, body: await buffer(response) };
}
