import { join } from "node:path";
import type { AppServer } from "../support/servers/app-server";
import { moveLedgerClock } from "../support/servers/redis-proxy";
import { until } from "../support/until";
import { Visitor } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { audit, type Findings, type Scenario } from "./audit";
import type { Fixture } from "./fixture";

export const clockFaults: Scenario[] = [
  { name: "a server's clock a day ahead", run: serverADayAhead },
  { name: "midnight between reserve and settle", run: midnight },
];

const dayMs = 86_400_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const preload = join(__dirname, "..", "support", "clock-ahead.cjs");

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

/**
 * The clock of one of two servers is a day ahead, and Redis's clock is correct. lib/server/identity/flow-cookie.test.ts
 * tests flows from the future.
 */
async function serverADayAhead(fixture: Fixture): Promise<Findings> {
  // At noon, no midnight falls into the test.
  const offsetMs = dayMs / 2 - (Date.now() % dayMs);
  fixture.proxy.edit(moveLedgerClock(offsetMs));
  const right = await fixture.startServer();
  const ahead = await fixture.startServer({
    env: { NODE_OPTIONS: `--require=${preload}`, CLOCK_AHEAD_MS: String(dayMs) },
  });
  fixture.faults += 1;

  const visitor = new Visitor(ahead.url);
  await visitor.startFlow();
  const tokenFromTheFuture = await visitor.solveCaptcha();
  const ordered = await fixture.likeUntilFinal(visitor);
  const statuses = await Promise.all(
    [right, ahead].map(({ url }) => fixture.send(() => visitor.at(url).get("/api/instagram/status"))),
  );
  const inFourHours = Date.now() + offsetMs + 4 * hourMs;
  const captcha = await fixture.send(() =>
    new Visitor(right.url).post("/api/recaptcha/verify", { token: tokenFromTheFuture }),
  );

  // The delivery service verifies the time of the signature.
  fixture.serve(({ verified }) => (verified ? undefined : "refuse"));
  const second = new Visitor(ahead.url);
  await second.startFlow();
  const refused = await fixture.like(second);
  const usage = await readUsage(fixture, ahead);

  const cookie = ordered.headers.getSetCookie().find((line) => line.startsWith("rate-limit="));
  return audit(fixture, {
    expected: {
      "the cooldown is four hours on both servers": statuses.every(
        (status) => Math.abs(Date.parse(String(status?.body.nextAvailable)) - inFourHours) < minuteMs,
      ),
      "the rate-limit cookie expires after four hours": /; max-age=14400(;|$)/i.test(cookie ?? ""),
      "the server uses Redis's day": usage.secondsUntilReset > 11 * 3_600,
      "a challenge from the future is refused": captcha?.body.code === "captcha_rejected",
      "a signature from the future is refused, and nothing is charged":
        refused?.body.code === "delivery_refused" && usage.likesUsed === 50,
    },
  });
}
