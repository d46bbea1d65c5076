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

interface Instance {
  child: ChildProcess;
  /** Rejects if the instance refuses its settings. */
  port: Promise<number>;
  openRequests: number;
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
  async call(folder: string, request: FunctionRequest): Promise<HostResponse> {
    const { instances = 1, freezes = false } = this.#options;
    // A function can have several names, which are links to one folder.
    const target = realpathSync(folder);
    const key = `${target} ${this.#calls++ % instances}`;
    const instance = this.#instances.get(key) ?? this.#start(key, target);
    instance.openRequests += 1;
    instance.child.kill("SIGCONT");
    try {
      return await send(await instance.port, request);
    } catch {
      return { status: 500, headers: {}, body: Buffer.alloc(0) };
    } finally {
      instance.openRequests -= 1;
      if (freezes && instance.openRequests === 0) instance.child.kill("SIGSTOP");
    }
  }

  #start(key: string, folder: string): Instance {
    const child = fork(join(__dirname, "instance.mjs"), [folder], { cwd: folder, execArgv: [] });
    const port = new Promise<number>((resolve, reject) => {
      child.once("message", (message) => resolve((message as { port: number }).port));
      child.once("exit", () => {
        if (this.#instances.get(key)?.child === child) this.#instances.delete(key);
        reject(new Error("The instance has ended."));
      });
    });
    const instance = { child, port, openRequests: 0 };
    this.#instances.set(key, instance);
    return instance;
  }

  /** Kills all instances. */
  stop(): void {
    for (const { child } of this.#instances.values()) child.kill("SIGKILL");
    this.#instances.clear();
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
