import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** Starts a TCP server on this machine, for responses that no HTTP or Redis server would send. */
export async function startRawServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A client may close the connection at any time.
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
