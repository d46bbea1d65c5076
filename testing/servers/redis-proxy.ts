import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * A fault of a connection, from a command on. "hold-command" sends no more commands to Redis. "hold-response" sends no
 * more responses to the client. "lose-response" closes the connection when the response arrives. `delayMs` delays all
 * responses.
 */
export type Fault = "hold-command" | "hold-response" | "lose-response" | { delayMs: number };

export interface Trap {
  matches: (command: readonly string[]) => boolean;
  fault: Fault;
  /** Maximum number of commands with this fault. No limit by default. */
  times?: number;
}

export type RedisProxy = Awaited<ReturnType<typeof startRedisProxy>>;

/** Starts a TCP proxy before Redis that reads the commands and injects faults. */
export async function startRedisProxy(redisPort: number) {
  const sockets = new Set<Socket>();
  const faulty = new Set<Socket>();
  let traps: { trap: Trap; left: number }[] = [];
  let triggered = 0;
  let target = redisPort;

  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        faulty.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
    let rest: Buffer = Buffer.alloc(0);
    let fault: Fault | null = null;
    client.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk as Buffer]);
      for (let next = readCommand(rest); next; next = readCommand(rest)) {
        const { command, end } = next;
        const bytes = rest.subarray(0, end);
        rest = rest.subarray(end);
        const set = traps.find(({ trap, left }) => left > 0 && trap.matches(command));
        if (set) {
          set.left -= 1;
          triggered += 1;
          faulty.add(client);
          fault = set.trap.fault;
        }
        if (fault !== "hold-command") upstream.write(bytes);
      }
    });
    upstream.on("data", (chunk) => {
      if (fault === "lose-response") client.destroy();
      else if (fault === null) client.write(chunk);
      else if (typeof fault === "object") setTimeout(() => client.write(chunk), fault.delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Number of commands that matched one of the current traps. */
    get triggered() {
      return triggered;
    },
    /**
     * Replaces all traps, and closes the connections with a fault. If several traps match, the first with remaining
     * `times` applies.
     */
    set(...next: Trap[]) {
      traps = next.map((trap) => ({ trap, left: trap.times ?? Infinity }));
      triggered = 0;
      for (const client of faulty) client.destroy();
    },
    /** Connects new clients to another Redis. Open connections do not change. */
    connectTo: (port: number) => void (target = port),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Reads the first command (a RESP array of bulk strings). Returns null if it is incomplete. */
function readCommand(bytes: Buffer): { command: string[]; end: number } | null {
  const head = readLine(bytes, 0);
  if (!head) return null;
  const command: string[] = [];
  let at = head.end;
  for (let left = Number(head.text.slice(1)); left > 0; left -= 1) {
    const size = readLine(bytes, at);
    const end = size && size.end + Number(size.text.slice(1));
    if (!size || !end || bytes.length < end + 2) return null;
    command.push(bytes.toString("utf8", size.end, end));
    at = end + 2;
  }
  return { command, end: at };
}

function readLine(bytes: Buffer, from: number): { text: string; end: number } | null {
  const at = bytes.indexOf("\r\n", from);
  return at < 0 ? null : { text: bytes.toString("latin1", from, at), end: at + 2 };
}
