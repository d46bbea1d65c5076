import type { Requester } from "@upstash/redis";
import { setMeter, type Meter } from "@/lib/server/ops/meter";
import { connectionError } from "./reply";
import { withMetrics } from "./with-metrics";

const outcomes: string[] = [];
setMeter({ countRedis: (outcome: string) => outcomes.push(outcome) } as unknown as Meter);

const answering = (answer: unknown): Requester => ({ request: () => Promise.resolve(answer as never) });
const failing = (error: Error): Requester => ({ request: () => Promise.reject(error) });

it.each<[what: string, requester: Requester, outcome: string]>([
  ["an answer", answering({ result: "OK" }), "answered"],
  ["an answer that is nothing", answering({ result: null }), "answered"],
  ["a pipeline", answering([{ result: 1 }, { result: 2 }]), "answered"],
  ["a script that Redis has forgotten", answering({ error: "NOSCRIPT" }), "answered"],
  ["the same over REST", failing(new Error("NOSCRIPT")), "answered"],
  ["an error", answering({ error: "READONLY" }), "refused"],
  ["an error in a pipeline", answering([{ result: 1 }, { error: "OOM" }]), "refused"],
  ["an error over REST", failing(new Error("WRONGTYPE")), "refused"],
  ["no answer in time", failing(connectionError({ timedOut: true })), "lost"],
  ["a broken connection", failing(connectionError({ timedOut: false })), "lost"],
])("counts %s as what it is, once, and passes it on", async (_, requester, outcome) => {
  outcomes.length = 0;
  const of = (asked: Requester) => asked.request({ body: ["PING"] }).catch((error: unknown) => error);
  expect(await of(withMetrics(requester))).toEqual(await of(requester));
  expect(outcomes).toEqual([outcome]);
});
