import { createServer, type AddressInfo, type Socket } from "node:net";

export interface DeafServer {
  readonly port: number;
  /** How many have connected so far. */
  readonly connections: number;
  stop(): Promise<void>;
}

/** Accepts connections and reads nothing from them: a service whose machine is up and whose program is not. */
export async function startDeafServer(): Promise<DeafServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
