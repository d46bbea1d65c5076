import { visitorMessageOf } from "./fetch-json";

/** Why a call failed, for below what a screen says first: the server's words, that no answer came, or that it is our fault. */
export function causeOf(error: unknown): string {
  return visitorMessageOf(error, "The fault is on our side. Please try again in a moment.");
}
