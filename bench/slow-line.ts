import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/*
 * A TCP proxy that simulates a phone's line to a server. A browser's own throttling delays each response separately, and
 * sometimes leaves the line idle (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md). The proxy does
 * not simulate TCP slow start.
 */

export interface Line {
  roundTripMs: number;
  /** For each direction, shared by all connections. */
  bytesPerSecond: number;
}

export interface SlowLine {
  readonly port: number;
  stop(): void;
}

const packetBytes = 1_460;

/** Starts the proxy in front of a server on this machine. */
export async function startSlowLine(serverPort: number, line: Line): Promise<SlowLine> {
  const [up, down] = [createDirection(line), createDirection(line)];
  const server = createServer((client) => {
    const upstream = connect(serverPort, "127.0.0.1");
    forward(client, upstream, up);
    forward(upstream, client, down);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, stop: () => void server.close() };
}

function forward(from: Socket, to: Socket, transmit: ReturnType<typeof createDirection>): void {
  from.setNoDelay();
  from.on("data", (data) => {
    for (let at = 0; at < data.length; at += packetBytes) {
      const packet = data.subarray(at, at + packetBytes);
      transmit(packet.length, () => to.write(packet));
    }
  });
  from.on("end", () => transmit(0, () => to.end()));
  from.on("error", () => to.destroy());
}

/** Returns a function that calls `deliver` when a packet arrives. Packets arrive in the order of the calls. */
function createDirection({ roundTripMs, bytesPerSecond }: Line) {
  let freeAt = 0;
  let lastDelivery = Promise.resolve();
  return (bytes: number, deliver: () => void): void => {
    freeAt = Math.max(performance.now(), freeAt) + (bytes / bytesPerSecond) * 1_000;
    const arrivesAt = freeAt + roundTripMs / 2;
    lastDelivery = lastDelivery.then(async () => {
      const waitMs = arrivesAt - performance.now();
      if (waitMs > 0) await delay(Math.ceil(waitMs));
      deliver();
    });
  };
}
