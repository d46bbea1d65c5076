import type { AppServer } from "@/testing/servers/app-server";
import { moveLedgerClock } from "./traps";
import { until } from "@/testing/until";
import { Visitor } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { audit, type Findings, type Scenario } from "./audit";
import type { Fixture } from "./fixture";

export const clockFaults: Scenario[] = [{ name: "midnight between reserve and settle", run: midnight }];

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Orders are reserved before midnight (GMT) on Redis's clock, and accepted, refused or repeated after it. */
async function midnight(fixture: Fixture): Promise<Findings> {
  // The delivery service holds the first call until the last call arrives.
  const env = { RECONCILE_EVERY_SECONDS: "0", LIKE_WEBHOOK_TIMEOUT_MS: "10000" };
  const server = await fixture.startServer({ env });
  const untilMidnightMs = dayMs - (Date.now() % dayMs);
  const setClock = (fromMidnightMs: number) => {
    fixture.faults += 1;
    fixture.proxy.edit(moveLedgerClock(untilMidnightMs + fromMidnightMs));
  };
  const newDay = Math.floor((Date.now() + untilMidnightMs) / dayMs);
  const readBudget = async (day: number) =>
    Number((await fixture.redis.get(`{likes}:v2:budget:${day}`)) ?? 0);

  setClock(-10 * minuteMs);
  const visitors = await fixture.visitors(server, 9);
  const before = await readUsage(fixture, server);
  let calls = 0;
  fixture.serve(async () => {
    const call = calls++;
    if (call === visitors.length - 1) setClock(10 * minuteMs);
    await until("all calls", () => calls === visitors.length);
    return (["refuse", "error", undefined] as const)[call % 3];
  });
  const responses = await Promise.all(visitors.map((visitor) => fixture.like(visitor)));
  const charged = [await readBudget(newDay - 1), await readBudget(newDay)];
  fixture.serve();
  await fixture.reconcile(server);
  const after = await readUsage(fixture, server);
  const first = await fixture.like(await newVisitorInFlow(server.url));
  const accepted = visitors.find((_, n) => responses[n]?.status === 200);
  const again = accepted && (await fixture.like(accepted, "another-key"));
  const count = (code: string) =>
    responses.filter((response) => (response?.body.code ?? "accepted") === code).length;
  return audit(fixture, {
    expected: {
      "a third each is accepted, refused and pending":
        count("accepted") === 3 && count("delivery_refused") === 3 && count("order_pending") === 3,
      "a refund after midnight belongs to the day before": charged[0] === 50 * 6,
      "nothing is charged to the new day": charged[1] === 0 && after.likesUsed === 0,
      "the meter starts again": before.secondsUntilReset < 700 && after.secondsUntilReset > 23 * 3_600,
      "the first order of the new day is charged to it":
        first?.status === 200 && (await readBudget(newDay)) === 50,
      "midnight ends no cooldown": again?.body.code === "cooldown",
    },
  });
}

async function readUsage(fixture: Fixture, server: AppServer) {
  const response = await fixture.send(() => new Visitor(server.url).get("/api/instagram/daily-usage"));
  return response?.body.dailyLimit as { likesUsed: number; secondsUntilReset: number };
}
