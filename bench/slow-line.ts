import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/*
 * A phone's line to a server, as a TCP proxy in front of it: what comes waits for its turn and for its way. A browser's tools
 * throttle each answer for itself instead, shared out evenly, and at times let the line stand idle
 * (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md compares both). A connection's slow start is not in it.
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
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: serverPort, host: "127.0.0.1", allowHalfOpen: true });
    lead(client, upstream, up);
    lead(upstream, client, down);
  });

  function lead(from: Socket, to: Socket, direction: Direction): void {
    sockets.add(from.setNoDelay());
    from.on("data", (data) => direction.send(data, to));
    // What was sent before arrives before.
    from.on("end", () => direction.end(to));
    from.on("error", () => to.destroy());
    from.on("close", () => sockets.delete(from));
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
  readonly #underway: { arrivesAt: number; arrive: () => void }[] = [];
  /** When the last byte that came so far has left. */
  #freeAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(line: Line) {
    this.#line = line;
  }

  send(data: Buffer, to: Socket): void {
    for (let at = 0; at < data.length; at += packetBytes) {
      const packet = data.subarray(at, at + packetBytes);
      this.#depart(packet.length, () => to.write(packet));
    }
    this.#deliver();
  }

  end(to: Socket): void {
    this.#depart(0, () => to.end());
    this.#deliver();
  }

  #depart(bytes: number, arrive: () => void): void {
    const { roundTripMs, bytesPerSecond } = this.#line;
    const now = performance.now();
    if (this.isSlow) this.#freeAt = Math.max(now, this.#freeAt) + (bytes / bytesPerSecond) * 1_000;
    this.#underway.push({ arrivesAt: this.isSlow ? this.#freeAt + roundTripMs / 2 : now, arrive });
  }

  #deliver(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    let [next] = this.#underway;
    while (next && next.arrivesAt <= now) {
      this.#underway.shift();
      next.arrive();
      [next] = this.#underway;
    }
    if (next) this.#timer = setTimeout(() => this.#deliver(), next.arrivesAt - now);
  }
}
