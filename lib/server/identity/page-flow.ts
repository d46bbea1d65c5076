import "server-only";
import { cookies } from "next/headers";
import type { Receipt } from "@/lib/http/api-responses";
import { readFlowFromCookies, type Flow } from "./flow-cookie";

/* Only pages import this file. next/headers loads Next's renderer, which middleware and API do not need. */

/** Reads the flow cookie while Next renders a page. Resolves to null without a valid cookie. */
export async function readPageFlow(): Promise<Flow | null> {
  return readFlowFromCookies(await cookies());
}

/** Reads the receipt of an accepted order from the flow cookie. Resolves to null without a receipt. */
export async function readReceipt(): Promise<Receipt | null> {
  return (await readPageFlow())?.receipt ?? null;
}
