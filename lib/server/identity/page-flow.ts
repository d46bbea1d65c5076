import "server-only";
import { cookies } from "next/headers";
import type { Receipt } from "@/lib/http/api-responses";
import { readFlowFromCookies, type Flow } from "./flow-cookie";

/* Only pages import this file, because next/headers makes the server load the page renderer of Next.js. */

/** Reads the flow cookie while Next.js renders a page. Resolves to null if no valid cookie exists. */
export async function readPageFlow(): Promise<Flow | null> {
  return readFlowFromCookies(await cookies());
}

/** Reads an accepted order's receipt from the flow cookie. Resolves to null if the cookie has no receipt. */
export async function readReceipt(): Promise<Receipt | null> {
  return (await readPageFlow())?.receipt ?? null;
}
