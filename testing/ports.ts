import { accepts } from "@/scripts/lib/ports.mjs";

export { freePort } from "@/scripts/lib/ports.mjs";

/** Returns whether a server accepts connections on a port of this machine. */
export function isTaken(port: number): Promise<boolean> {
  return accepts(port);
}
