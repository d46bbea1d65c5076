import type { Requester } from "@upstash/redis";
import { setMeter, type Meter } from "@/lib/server/metrics/meter";
import { connectionError } from "./reply";
import { withMetrics } from "./client";

const outcomes: string[] = [];
setMeter({ countRedis: (outcome: string) => outcomes.push(outcome) } as unknown as Meter);

const resolving = (reply: unknown): Requester => ({ request: () => Promise.resolve(reply as never) });
const rejecting = (error: Error): Requester => ({ request: () => Promise.reject(error) });

it.each<[name: string, requester: Requester, outcome: string]>([
  ["a reply", resolving({ result: "OK" }), "answered"],
  ["a null reply", resolving({ result: null }), "answered"],
  ["a pipeline", resolving([{ result: 1 }, { result: 2 }]), "answered"],
  ["NOSCRIPT over TCP", resolving({ error: "NOSCRIPT" }), "answered"],
  ["NOSCRIPT over REST", rejecting(new Error("NOSCRIPT")), "answered"],
  ["an error", resolving({ error: "READONLY" }), "refused"],
  ["an error in a pipeline", resolving([{ result: 1 }, { error: "OOM" }]), "refused"],
  ["an error over REST", rejecting(new Error("WRONGTYPE")), "refused"],
  ["a timeout", rejecting(connectionError({ timedOut: true })), "lost"],
  ["a broken connection", rejecting(connectionError({ timedOut: false })), "lost"],
])("counts %s once and returns the same result", async (_, requester, outcome) => {
  outcomes.length = 0;
  const resultOf = (target: Requester) => target.request({ body: ["PING"] }).catch((error: unknown) => error);
  expect(await resultOf(withMetrics(requester))).toEqual(await resultOf(requester));
  expect(outcomes).toEqual([outcome]);
});
