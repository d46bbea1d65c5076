import { join } from "node:path";
import type { AppServer } from "../support/servers/app-server";
import { moveLedgerClock } from "../support/servers/redis-proxy";
import { until } from "../support/until";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { audit, type Findings } from "./audit";
import type { Shop } from "./shop";

const dayMs = 86_400_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const preload = join(__dirname, "..", "support", "clock-ahead.cjs");

/**
 * Orders are reserved on one GMT day and accepted, refused or found out about on the next: Redis's clock passes midnight
 * while the receiver works. The charge belongs to the day of the reservation.
 */
export async function midnight(shop: Shop): Promise<Findings> {
  // The receiver holds the first call until the last has come.
  const env = { RECONCILE_EVERY_SECONDS: "0", LIKE_WEBHOOK_TIMEOUT_MS: "10000" };
  const server = await shop.startServer({ env });
  const toMidnight = dayMs - (Date.now() % dayMs);
  const setClock = (fromMidnightMs: number) => {
    shop.faults += 1;
    shop.proxy.edit(moveLedgerClock(toMidnight + fromMidnightMs));
  };
  const day = Math.floor((Date.now() + toMidnight) / dayMs);
  const budgetOf = async (of: number) => Number((await shop.redis.get(`{likes}:v2:budget:${of}`)) ?? 0);

  setClock(-10 * minuteMs);
  const visitors = await shop.visitors(server, 9);
  const eve = await usageOf(shop, server);
  let calls = 0;
  shop.serve(async () => {
    const turn = calls++;
    if (turn === visitors.length - 1) setClock(+10 * minuteMs);
    await until("all calls", () => calls === visitors.length);
    return (["refuse", "error", undefined] as const)[turn % 3];
  });
  const answers = await Promise.all(visitors.map((visitor) => shop.like(visitor)));
  const charged = [await budgetOf(day - 1), await budgetOf(day)];
  shop.serve();
  await shop.reconcile(server);
  const morning = await usageOf(shop, server);
  const first = await shop.like(await newVisitorInFlow(server.url));
  const accepted = visitors.find((_, n) => answers[n]?.status === 200);
  const again = accepted && (await shop.like(accepted, "another-key"));
  const statuses = answers.map((answer) => answer?.body.code ?? "accepted");
  const count = (code: string) => statuses.filter((status) => status === code).length;
  return audit(shop, {
    expected: {
      "a third each is accepted, refused and pending":
        count("accepted") === 3 && count("delivery_refused") === 3 && count("order_pending") === 3,
      "what was refused after midnight is given back to the day before": charged[0] === 50 * 6,
      "nothing of it is charged to the new day": charged[1] === 0 && morning.likesUsed === 0,
      "the meter starts anew": eve.secondsUntilReset < 700 && morning.secondsUntilReset > 23 * 3_600,
      "the new day's first order is charged to it": first?.status === 200 && (await budgetOf(day)) === 50,
      "midnight ends no cooldown": again?.body.code === "cooldown",
    },
  });
}

async function usageOf(
  shop: Shop,
  server: AppServer,
): Promise<{ likesUsed: number; secondsUntilReset: number }> {
  const answer = await shop.send(() => shop.newPerson(server).get("/api/instagram/daily-usage"));
  return answer?.body.dailyLimit as { likesUsed: number; secondsUntilReset: number };
}

/** One of two servers has a clock that is a day ahead; Redis's is right, and what counts goes by that. */
export async function serverADayAhead(shop: Shop): Promise<Findings> {
  // Noon, so that no midnight comes between.
  const offsetMs = dayMs / 2 - (Date.now() % dayMs);
  shop.proxy.edit(moveLedgerClock(offsetMs));
  const right = await shop.startServer();
  const ahead = await shop.startServer({
    env: { NODE_OPTIONS: `--require=${preload}`, CLOCK_AHEAD_MS: String(dayMs) },
  });
  const servers = [right, ahead];
  shop.faults += 1;

  // A whole visit at the server whose clock is wrong.
  const person = shop.newPerson(ahead);
  await person.startFlow();
  const challengeFromTheFuture = await person.solveCaptcha();
  const ordered = await shop.like(person);
  const again = await shop.like(person, "another-key");
  const statuses = await Promise.all(
    servers.map(({ url }) => shop.send(() => person.at(url).get("/api/instagram/status"))),
  );
  const usages = await Promise.all(servers.map((server) => usageOf(shop, server)));
  const inFourHours = Date.now() + offsetMs + 4 * hourMs;

  // What one server made, the other gets.
  const stranger = shop.newPerson(right);
  const challenge = await shop.send(() =>
    stranger.post("/api/recaptcha/verify", { token: challengeFromTheFuture }),
  );
  const unlucky = shop.newPerson(ahead);
  await unlucky.startFlow();
  const early = await shop.like(unlucky.at(right.url));
  const other = shop.newPerson(right);
  await other.startFlow();
  const late = await shop.like(other.at(ahead.url));

  // A receiver that looks at the time of the signature refuses, as it should.
  shop.serve(({ verified }) => (verified ? undefined : "refuse"));
  const refused = await shop.like(unlucky);
  const charged = (await usageOf(shop, right)).likesUsed;
  const lucky = await shop.like(other);

  const cookie = ordered?.headers.getSetCookie().find((line) => line.startsWith("rate-limit="));
  return audit(shop, {
    expected: {
      "the visit succeeds": ordered?.status === 200,
      "the cooldown is four hours at both": statuses.every(
        (answer) => Math.abs(Date.parse(String(answer?.body.nextAvailable)) - inFourHours) < minuteMs,
      ),
      "and holds": again?.body.code === "cooldown",
      "so long lives the rate-limit cookie": /; max-age=14400(;|$)/i.test(cookie ?? ""),
      "the budget's day is Redis's at both": usages.every(
        ({ likesUsed, secondsUntilReset }) => likesUsed === 50 && secondsUntilReset > 11 * 3_600,
      ),
      "a challenge from the future is refused": challenge?.body.code === "captcha_rejected",
      "a flow from the future is none": early?.body.code === "flow_required",
      "a flow that is a day old is none": late?.body.code === "flow_required",
      "a receiver that checks the time refuses, and nothing is charged":
        refused?.body.code === "delivery_refused" && charged === 50,
      "the other server goes on": lucky?.status === 200,
    },
  });
}
