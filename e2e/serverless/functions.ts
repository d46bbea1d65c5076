import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, realpathSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

export interface FunctionOptions {
  /** How many instances of each function answer in turn. */
  instances: number;
  /** Whether an instance is frozen as soon as it has nothing to answer, as a host does that counts by the second. */
  freezes: boolean;
}

export interface FunctionRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** What goes back, whoever gives it. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export interface FunctionAnswer extends Answer {
  /** Whether the instance was started for it. */
  cold: boolean;
}

/** The host's default, where the output says nothing. */
const defaultSeconds = 300;

/** The functions of an output, in instances that are started when they are needed. */
export class Functions {
  readonly #instances = new Map<string, Instance[]>();
  readonly #options: FunctionOptions;
  #turn = 0;

  constructor(options: FunctionOptions) {
    this.#options = options;
  }

  /** Has an instance of the function in a folder answer; 504 when it takes longer than the function may. */
  call(folder: string, request: FunctionRequest): Promise<FunctionAnswer> {
    // Other names of a function are links to it.
    const place = realpathSync(folder);
    const running = this.#instances.get(place) ?? [];
    this.#instances.set(place, running);
    const index = this.#turn++ % this.#options.instances;
    if (!running[index] || running[index].hasEnded)
      running[index] = new Instance(place, this.#options.freezes);
    return running[index].answer(request);
  }

  /** Ends every instance, as the host does with those that it needs no more. */
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
  #answering = 0;
  #answered = 0;
  hasEnded = false;

  constructor(folder: string, freezes: boolean) {
    const { maxDuration = defaultSeconds } = JSON.parse(
      readFileSync(join(folder, ".vc-config.json"), "utf8"),
    ) as { maxDuration?: number };
    this.#seconds = maxDuration;
    this.#freezes = freezes;
    this.#child = fork(join(__dirname, "instance.mjs"), [folder], { cwd: folder, execArgv: [] });
    this.#child.once("exit", () => (this.hasEnded = true));
    this.#port = once(this.#child, "message").then(([message]) => (message as { port: number }).port);
  }

  async answer(call: FunctionRequest): Promise<FunctionAnswer> {
    const cold = this.#answered++ === 0;
    this.#answering += 1;
    this.#child.kill("SIGCONT");
    try {
      const answer = await within(this.#seconds, send(await this.#port, call));
      if (answer) return { ...answer, cold };
      this.stop();
      return { ...failure(504, "FUNCTION_INVOCATION_TIMEOUT"), cold };
    } catch {
      return { ...failure(500, "FUNCTION_INVOCATION_FAILED"), cold };
    } finally {
      this.#answering -= 1;
      if (this.#freezes && this.#answering === 0) this.#child.kill("SIGSTOP");
    }
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }
}

/** The host's own answer in a function's place. */
function failure(status: number, code: string): Answer {
  return { status, headers: { "x-vercel-error": code }, body: Buffer.alloc(0) };
}

function send(port: number, { method, target, headers, body }: FunctionRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, method, path: target, headers, agent: false },
      (answer) => {
        buffer(answer).then(
          (data) => resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer), body: data }),
          reject,
        );
      },
    );
    outgoing.on("error", reject).end(body);
  });
}

function headersOf(answer: IncomingMessage): Record<string, string | string[]> {
  const ownConnection = ["connection", "keep-alive", "transfer-encoding"];
  return Object.fromEntries(
    Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined || ownConnection.includes(name) ? [] : [[name, value]],
    ),
  );
}

/** What comes in time, or undefined. */
function within<Value>(seconds: number, value: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), seconds * 1_000);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
