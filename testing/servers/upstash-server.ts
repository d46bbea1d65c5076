import IORedis from "ioredis";
import { createScriptRewriter } from "@/lib/server/redis/tcp";
import { startHttpDouble, type HttpRequest, type Reply } from "./http-double";

type Command = (string | number)[];

/** The connection breaks after the commands have run, the response is late, or the server sends no response. */
export type Fault = "lose-response" | "hang" | { delayMs: number };

/**
 * Starts a server with the parts of Upstash's REST API that the product uses, in front of a real Redis. A request to `/` has
 * one command, and a request to `/pipeline` has several. The server encodes strings in base64 if the request wants it. It
 * responds 400 to a command that fails, and 401 to a wrong token.
 */
export async function startUpstashServer(redisUrl: string) {
  const token = "token-of-the-tests";
  const connection = new IORedis(redisUrl, { protocol: 2, maxRetriesPerRequest: 0, lazyConnect: true });
  connection.on("error", () => undefined);
  const rewriteScript = createScriptRewriter();
  let [next, lasting]: (Fault | null)[] = [null, null];

  async function respond({ path, headers, body }: HttpRequest): Promise<Reply> {
    const fault = next ?? lasting;
    next = null;
    if (headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { error: "WRONGPASS invalid or missing auth token" } };
    }
    const isPipeline = path === "/pipeline";
    const commands = (isPipeline ? JSON.parse(body) : [JSON.parse(body)]) as Command[];
    const encoding = headers["upstash-encoding"] === "base64" ? "base64" : "utf8";
    const results = await Promise.all(commands.map((command) => run(command, encoding))).catch(() => null);
    if (fault === "hang") return "hang";
    if (fault === "lose-response" || !results) return "drop";
    const failed = !isPipeline && results.some((result) => "error" in result);
    return { status: failed ? 400 : 200, body: isPipeline ? results : results[0], delayMs: fault?.delayMs };
  }

  /** Rejects if the connection to Redis breaks. */
  async function run(command: Command, encoding: BufferEncoding) {
    const [name = "", ...args] = rewriteScript(command);
    try {
      const reply = await connection.callBuffer(String(name), ...args);
      // Upstash does not encode this reply.
      const isOk = Buffer.isBuffer(reply) && reply.toString() === "OK";
      return { result: isOk ? "OK" : encode(reply, encoding) };
    } catch (error) {
      if (error instanceof Error && error.name === "ReplyError") return { error: error.message };
      throw error;
    }
  }

  const double = await startHttpDouble("", respond, {});
  return {
    url: double.url,
    token,
    /** Number of requests so far, with repeated requests. */
    get requests() {
      return double.requests.length;
    },
    /** Sets the fault of the next request. */
    failNext: (fault: Fault) => void (next = fault),
    /** Sets the fault of all later requests. Null ends all faults. */
    failAll: (fault: Fault | null) => void ([next, lasting] = [null, fault]),
    stop() {
      connection.disconnect();
      return double.stop();
    },
  };
}

/** Encodes the strings of a reply at any depth. */
function encode(reply: unknown, encoding: BufferEncoding): unknown {
  if (Buffer.isBuffer(reply)) return reply.toString(encoding);
  return Array.isArray(reply) ? reply.map((each) => encode(each, encoding)) : reply;
}
