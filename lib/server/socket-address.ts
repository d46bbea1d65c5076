import "server-only";
import { IncomingMessage, Server } from "node:http";

/** Carries the socket's address to handlers and middleware, which see no socket. */
export const socketAddressHeader = "x-socket-address";

let installed = false;

/**
 * Makes every HTTP server of this process write the socket's address into a header before anything reads the request,
 * over whatever a client may have sent under that name.
 */
export function installSocketAddressHook(): void {
  if (installed) return;
  installed = true;
  const emit: (event: string, ...args: unknown[]) => boolean = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]) {
    const [request] = args;
    if (event === "request" && request instanceof IncomingMessage) {
      request.headers[socketAddressHeader] = request.socket.remoteAddress ?? "";
    }
    return emit.call(this, event, ...args);
  };
}
