import "server-only";
import { cookies } from "next/headers";
import type { Receipt } from "@/lib/http/api-responses";
import { readFlowFromCookies, type Flow } from "./flow-cookie";

/* Separate from flow-cookie.ts, because next/headers loads Next's renderer. */

/** Reads the visitor's flow. Resolves to null without a valid flow. */
export async function readPageFlow(): Promise<Flow | null> {
  return readFlowFromCookies(await cookies());
}

/** Reads the receipt of the flow's accepted order. Resolves to null without one. */
export async function readReceipt(): Promise<Receipt | null> {
  return (await readPageFlow())?.receipt ?? null;
}
