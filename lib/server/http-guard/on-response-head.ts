import "server-only";
import type { ServerResponse } from "node:http";

/** Calls `mapStatus` just before the server sends the response head, and sends the returned status. */
export function onResponseHead(response: ServerResponse, mapStatus: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    ...rest: unknown[]
  ) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => writeHead(mapStatus(status), ...rest);
}
