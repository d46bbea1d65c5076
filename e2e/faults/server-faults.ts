import { setTimeout as pause } from "node:timers/promises";
import { ledgerScripts } from "@/lib/server/likes/ledger-scripts";
import type { Fault } from "@/testing/servers/redis-proxy";
import { isVerb } from "./traps";
import { isSigned } from "@/testing/servers/webhook-receiver";
import { until } from "@/testing/until";
import type { ApiResponse, Visitor } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { audit, idsOf, readOrders, type Findings, type Scenario } from "./audit";
import type { Fixture } from "./fixture";

export const serverFaults: Scenario[] = [
  { name: "server killed at every step of an order", run: serverKilled },
  { name: "two servers, half of the calls fail", run: serversCompete },
];

const visitorsPerStep = 3;

interface Progress {
  /** Commands that the proxy holds. */
  held: number;
  calls: number;
  open: number;
  accepted: number;
}

interface Step {
  name: string;
  /** Stops all orders at this step. */
  hold: (fixture: Fixture) => void;
  /** Counts the orders that have reached this step. */
  counter: keyof Progress;
}

const steps: Step[] = [
  { name: "before reserve reaches Redis", hold: hold("reserve", "hold-command"), counter: "held" },
  { name: "before the response of reserve", hold: hold("reserve", "hold-response"), counter: "open" },
  { name: "before the delivery", hold: ({ receiver }) => receiver.respond("hang"), counter: "calls" },
  { name: "during the delivery", hold: (fixture) => fixture.serve(() => pause(600)), counter: "calls" },
  { name: "before settle reaches Redis", hold: hold("settle", "hold-command"), counter: "held" },
  { name: "before the response of settle", hold: hold("settle", "hold-response"), counter: "accepted" },
];

/** The proxy holds a command of the ledger. Deliveries end at the same time, so that the orders settle together. */
function hold(verb: Parameters<typeof isVerb>[0], fault: Fault): Step["hold"] {
  return (fixture) => {
    const calls = fixture.receiver.requests.length + visitorsPerStep;
    fixture.serve(() => fixture.receiver.waitForRequests(calls));
    fixture.proxy.set({ matches: isVerb(verb), fault });
  };
}

async function readProgress(fixture: Fixture): Promise<Progress> {
  const orders = await readOrders(fixture);
  return {
    held: fixture.proxy.triggered,
    calls: fixture.receiver.requests.length,
    open: idsOf(orders, "reserved", "pending").length,
    accepted: idsOf(orders, "accepted").length,
  };
}

/** Kills a server at each step from reserve to settle. Its visitors then send their requests to another server. */
async function serverKilled(fixture: Fixture): Promise<Findings> {
  // With loaded scripts, each step is one command.
  for (const script of Object.values(ledgerScripts)) await fixture.redis.scriptLoad(script);
  const visitors: Visitor[] = [];
  const broken: (ApiResponse | null)[] = [];
  for (const step of steps) {
    const killed = await killServerAt(step, fixture);
    visitors.push(...killed.visitors);
    broken.push(...killed.responses);
  }
  const { open } = await readProgress(fixture);
  const other = await fixture.startServer();
  const likeAll = (key?: string) => Promise.all(visitors.map((visitor) => fixture.like(visitor, key, other)));
  const early = await likeAll();
  await fixture.untilNothingIsOpen();
  const late = await Promise.all(visitors.map((visitor) => fixture.likeUntilFinal(visitor, [other])));
  const again = await likeAll("another-key");
  return audit(fixture, {
    // Each killed server had one more order.
    orders: visitors.length + steps.length,
    expected: {
      "a killed server sends no response": broken.every((response) => response === null),
      "orders after reserve and before settle are open": open === 4 * visitorsPerStep,
      "an order before reserve succeeds at once": early.slice(0, visitorsPerStep).every(isAccepted),
      "a settled order succeeds at once": early.filter(isAccepted).length >= 2 * visitorsPerStep,
      "all orders are accepted after their leases end": late.every(isAccepted),
      "a new key does not evade the cooldown": again.every((response) => response?.body.code === "cooldown"),
    },
  });
}

async function killServerAt({ name, hold, counter }: Step, fixture: Fixture) {
  const server = await fixture.startServer({ env: { RECONCILE_EVERY_SECONDS: "0" } });
  // Before the first reserve, a server reads the time of Redis. Later orders are reserve, call, settle.
  await fixture.likeUntilFinal(await newVisitorInFlow(server.url));
  const visitors = await fixture.visitors(server, visitorsPerStep);
  const before = (await readProgress(fixture))[counter];
  hold(fixture);
  const responses = visitors.map((visitor) => fixture.like(visitor));
  await until(name, async () => (await readProgress(fixture))[counter] - before >= visitorsPerStep);
  fixture.faults += 1;
  await server.kill();
  fixture.proxy.set();
  fixture.serve();
  return { visitors, responses: await Promise.all(responses) };
}

function isAccepted(response: ApiResponse | null): boolean {
  return response?.status === 200;
}

/** Visitors send each request to two servers at once, while half of the calls to the delivery service fail. */
async function serversCompete(fixture: Fixture): Promise<Findings> {
  const servers = [await fixture.startServer(), await fixture.startServer()] as const;
  fixture.serve(async (_, index) => {
    await pause(50 + ((index * 67) % 250));
    // "drop" accepts the order and loses the response.
    const failure = ([undefined, "error", undefined, "drop"] as const)[(index * 7 + (index >> 2)) % 4];
    if (failure) fixture.faults += 1;
    return failure;
  });
  const visitors = await fixture.visitors(servers[0], fixture.places);
  const responses = await Promise.all(
    visitors.flatMap((visitor) => servers.map((server) => fixture.like(visitor, undefined, server))),
  );
  const accepted = responses.filter(isAccepted).length;
  await fixture.untilNothingIsOpen();
  const late = await Promise.all(visitors.map((visitor) => fixture.likeUntilFinal(visitor, [servers[1]])));
  return audit(fixture, {
    orders: visitors.length,
    expected: {
      "some first requests succeed, and some fail": accepted > 0 && accepted < responses.length,
      "the repeated requests succeed": late.every(isAccepted),
      "every call is signed": fixture.receiver.requests.every(isSigned),
    },
  });
}
