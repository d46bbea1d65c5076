import IORedis from "ioredis";
import { createScriptRewriter } from "@/lib/server/redis/upstash-scripts";
import { startHttpDouble, type HttpRequest } from "./http-double";

type Command = (string | number)[];
type CommandAnswer = { result: unknown } | { error: string };

/**
 * What goes wrong: the connection breaks before the command runs or after it, the answer comes late, or none ever comes.
 */
export type Fault = "break" | "lose-answer" | "hang" | { delayMs: number };

export interface UpstashServer {
  readonly url: string;
  readonly token: string;
  /** Requests so far, repeated ones included. */
  readonly requests: number;
  /** One fault a request from the next one on, in this order; then all is well again. */
  failNext(...faults: Fault[]): void;
  /** A fault of every request, until told otherwise. */
  failAll(fault: Fault | null): void;
  stop(): Promise<void>;
}

/**
 * Upstash's REST protocol in front of a real Redis, as far as the product speaks it: a command as a JSON array to `/`,
 * many to `/pipeline`; strings in base64 for who asks for it, 400 for a command's error, 401 for a wrong token.
 */
export async function startUpstashServer(redisUrl: string): Promise<UpstashServer> {
  const token = "token-of-the-tests";
  const connection = new IORedis(redisUrl, { protocol: 2, maxRetriesPerRequest: 0, lazyConnect: true });
  connection.on("error", () => undefined);
  const execute = createExecutor(connection);
  const queued: Fault[] = [];
  let lasting: Fault | null = null;

  const double = await startHttpDouble<HttpRequest, never>({
    path: "",
    read: (request) => request,
    answers: {},
    reply: "error",
  });
  double.respond(async ({ path, headers, body }) => {
    const fault = queued.shift() ?? lasting;
    if (headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { error: "WRONGPASS invalid or missing auth token" } };
    }
    if (fault === "break") return "drop";
    const done = await execute(path, JSON.parse(body) as Command | Command[]).catch(() => null);
    if (fault === "hang") return "hang";
    if (fault === "lose-answer" || done === null) return "drop";
    const encoding = headers["upstash-encoding"] === "base64" ? "base64" : "utf8";
    return { status: done.status, body: encodeAnswer(done.answer, encoding), delayMs: fault?.delayMs };
  });
  return {
    url: double.url,
    token,
    get requests() {
      return double.requests.length;
    },
    failNext: (...faults) => void queued.push(...faults),
    failAll(fault) {
      queued.length = 0;
      lasting = fault;
    },
    stop() {
      connection.disconnect();
      return double.stop();
    },
  };
}

/** Runs a request's command or commands. A connection that breaks rejects; an error of a command is an answer. */
function createExecutor(connection: IORedis) {
  const fitForRedis = createScriptRewriter();

  async function run(command: Command): Promise<CommandAnswer> {
    const [name = "", ...args] = fitForRedis(command);
    try {
      return { result: await connection.callBuffer(String(name), ...args) };
    } catch (error) {
      return { error: errorOf(error) };
    }
  }

  return async (path: string, body: Command | Command[]) => {
    if (path === "/pipeline") {
      return { status: 200, answer: await Promise.all((body as Command[]).map(run)) };
    }
    const answer = await run(body as Command);
    return { status: "error" in answer ? 400 : 200, answer };
  };
}

function errorOf(error: unknown): string {
  if (error instanceof Error && error.name === "ReplyError") return error.message;
  throw error;
}

/** The word OK is never encoded. */
function encodeAnswer(answer: CommandAnswer | CommandAnswer[], encoding: BufferEncoding): unknown {
  if (Array.isArray(answer)) return answer.map((one) => encodeAnswer(one, encoding));
  if ("error" in answer) return answer;
  const isOk = Buffer.isBuffer(answer.result) && answer.result.toString() === "OK";
  return { result: isOk ? "OK" : encode(answer.result, encoding) };
}

/** Strings at any depth. */
function encode(value: unknown, encoding: BufferEncoding): unknown {
  if (Buffer.isBuffer(value)) return value.toString(encoding);
  return Array.isArray(value) ? value.map((one) => encode(one, encoding)) : value;
}
