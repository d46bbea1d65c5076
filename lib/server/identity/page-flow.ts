import "server-only";
import { cookies } from "next/headers";
import type { Receipt } from "@/lib/http/api-responses";
import { readFlowFromCookies, type Flow } from "./flow-cookie";

/*
 * The flow as pages read it. Apart from session.ts, because these cookies bring the framework's renderer with them, which
 * the middleware and the API do without.
 */

/** The visitor's flow, or null. */
export async function readPageFlow(): Promise<Flow | null> {
  return readFlowFromCookies(await cookies());
}

/** The receipt of the flow's accepted order, or null. */
export async function readReceipt(): Promise<Receipt | null> {
  return (await readPageFlow())?.receipt ?? null;
}
