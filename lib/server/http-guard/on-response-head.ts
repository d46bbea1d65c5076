import "server-only";
import type { ServerResponse } from "node:http";

/** Calls `decide` with an answer's status when its head is about to be sent, and sends the status that comes back. */
export function onResponseHead(response: ServerResponse, decide: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    ...rest: unknown[]
  ) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => writeHead(decide(status), ...rest);
}
