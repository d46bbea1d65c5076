import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/*
 * A phone's line to a server, as a TCP proxy in front of it: what comes waits for its turn and for its way. A browser's tools
 * throttle each answer for itself instead, shared out evenly, and let the line stand idle while a page is too busy to read
 * (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md compares both).
 */

export interface Line {
  roundTripMs: number;
  /** Of each direction, all connections together. */
  bytesPerSecond: number;
}

export interface SlowLine {
  readonly port: number;
  /** Until then it takes no time at all. */
  becomeSlow(): void;
  stop(): Promise<void>;
}

const packetBytes = 1_460;

/** Starts the proxy in front of a server on this machine. */
export async function startSlowLine(serverPort: number, line: Line): Promise<SlowLine> {
  const [up, down] = [new Direction(line), new Direction(line)];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, "127.0.0.1");
    lead(client, upstream, up);
    lead(upstream, client, down);
  });

  function lead(from: Socket, to: Socket, direction: Direction): void {
    sockets.add(from.setNoDelay());
    from.on("data", (data) => direction.send(data, to));
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    becomeSlow: () => [up, down].forEach((direction) => (direction.isSlow = true)),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}

/** Packets on their way, in the order in which they came. */
class Direction {
  isSlow = false;
  readonly #line: Line;
  readonly #underway: { arrivesAt: number; packet: Buffer; to: Socket }[] = [];
  /** When the last byte that came so far has left. */
  #freeAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(line: Line) {
    this.#line = line;
  }

  send(data: Buffer, to: Socket): void {
    const { roundTripMs, bytesPerSecond } = this.#line;
    for (let at = 0; at < data.length; at += packetBytes) {
      const packet = data.subarray(at, at + packetBytes);
      const now = performance.now();
      if (this.isSlow) this.#freeAt = Math.max(now, this.#freeAt) + (packet.length / bytesPerSecond) * 1_000;
      const arrivesAt = this.isSlow ? this.#freeAt + roundTripMs / 2 : now;
      this.#underway.push({ arrivesAt, packet, to });
    }
    this.#deliver();
  }

  #deliver(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    let [next] = this.#underway;
    while (next && next.arrivesAt <= now) {
      if (next.to.writable) next.to.write(next.packet);
      this.#underway.shift();
      [next] = this.#underway;
    }
    if (next) this.#timer = setTimeout(() => this.#deliver(), next.arrivesAt - now);
  }
}
