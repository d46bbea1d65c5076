import { ledgerScripts } from "@/lib/server/likes/ledger-scripts";
import { isVerb } from "../support/servers/redis-proxy";
import { until } from "../support/until";
import type { ApiAnswer, Visitor } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { audit, idsIn, readBooks, type Findings } from "./audit";
import { pause, type Shop } from "./shop";

const visitorsPerStep = 3;

interface Progress {
  calls: number;
  open: number;
  accepted: number;
}

/** A step of an order: how visitors are held there, and how many of them have come. */
interface Step {
  name: string;
  hold: (shop: Shop) => void;
  held: (shop: Shop, before: Progress) => number | Promise<number>;
}

const steps: Step[] = [
  {
    name: "before reserve reaches Redis",
    hold: ({ proxy }) => proxy.set({ matches: isVerb("reserve"), fault: "hold-command" }),
    held: ({ proxy }) => proxy.sprung,
  },
  {
    name: "after reserve ran, before its answer arrives",
    hold: ({ proxy }) => proxy.set({ matches: isVerb("reserve"), fault: "hold-answer" }),
    held: async (shop, before) => (await progressOf(shop)).open - before.open,
  },
  {
    name: "before the receiver works on the call",
    hold: ({ receiver }) => receiver.respond("hang"),
    held: ({ receiver }, before) => receiver.requests.length - before.calls,
  },
  {
    name: "while the receiver works",
    hold: (shop) => shop.serve(() => pause(600)),
    held: ({ receiver }, before) => receiver.requests.length - before.calls,
  },
  {
    name: "after the receiver accepted, before settle reaches Redis",
    hold: (shop) => {
      answerTogether(shop);
      shop.proxy.set({ matches: isVerb("settle"), fault: "hold-command" });
    },
    held: ({ proxy }) => proxy.sprung,
  },
  {
    name: "after settle ran, before its answer arrives",
    hold: (shop) => {
      answerTogether(shop);
      shop.proxy.set({ matches: isVerb("settle"), fault: "hold-answer" });
    },
    held: async (shop, before) => (await progressOf(shop)).accepted - before.accepted,
  },
];

async function progressOf(shop: Shop): Promise<Progress> {
  const books = await readBooks(shop);
  return {
    calls: shop.receiver.requests.length,
    open: idsIn(books, "reserved", "pending").length,
    accepted: idsIn(books, "accepted").length,
  };
}

/** Lets the receiver answer only when everybody's call has come, so that their settlements come at once. */
function answerTogether(shop: Shop): void {
  const all = shop.receiver.requests.length + visitorsPerStep;
  shop.serve(() => shop.receiver.waitForRequests(all));
}

/** A server dies at each step between reserve and settle; another one takes its visitors over. */
export async function serverKilled(shop: Shop): Promise<Findings> {
  // Known scripts run at their first request: a step is then one command.
  for (const script of Object.values(ledgerScripts)) await shop.redis.scriptLoad(script);
  const visitors: Visitor[] = [];
  const atDeath: (ApiAnswer | null)[] = [];
  for (const step of steps) {
    const caught = await killServerAt(step, shop);
    visitors.push(...caught.visitors);
    atDeath.push(...caught.answers);
  }
  const { open } = await progressOf(shop);
  const heir = await shop.startServer();
  const askAll = () => Promise.all(visitors.map((visitor) => shop.like(visitor, undefined, heir)));
  const early = await askAll();
  await shop.untilNothingIsOpen();
  const late = await askAll();
  const again = await Promise.all(visitors.map((visitor) => shop.like(visitor, "another-key", heir)));
  return audit(shop, {
    // One more for each server that was warmed up.
    orders: visitors.length + steps.length,
    expected: {
      "nobody hears from a dead server": atDeath.every((answer) => answer === null),
      "all is open but what was not reserved, and what was settled": open === 4 * visitorsPerStep,
      "what was not reserved is ordered at once": early.slice(0, visitorsPerStep).every(isAccepted),
      "what was settled is answered at once": early.filter(isAccepted).length >= 2 * visitorsPerStep,
      "the rest is accepted when the leases have run out": late.every(isAccepted),
      "a new key meets the cooldown": again.every((answer) => answer?.body.code === "cooldown"),
    },
  });
}

/** Brings visitors to the step, and kills their server there. */
async function killServerAt({ name, hold, held }: Step, shop: Shop) {
  const server = await shop.startServer({ env: { RECONCILE_EVERY_SECONDS: "0" } });
  // Its first reserve asks for Redis's time before; afterwards a request is reserve, call, settle.
  await shop.insist(await newVisitorInFlow(server.url));
  const visitors = await shop.visitors(server, visitorsPerStep);
  const before = await progressOf(shop);
  hold(shop);
  const answers = visitors.map((visitor) => shop.like(visitor));
  await until(name, async () => (await held(shop, before)) >= visitorsPerStep);
  shop.faults += 1;
  await server.kill();
  shop.proxy.set();
  shop.serve();
  return { visitors, answers: await Promise.all(answers) };
}

function isAccepted(answer: ApiAnswer | null): boolean {
  return answer?.status === 200;
}

/** Everybody asks two servers at once, whose timers repeat what a slow receiver fails: half of the calls. */
export async function serversCompete(shop: Shop): Promise<Findings> {
  const servers = [await shop.startServer(), await shop.startServer()] as const;
  shop.serve(async (_, index) => {
    await pause(50 + ((index * 67) % 250));
    // By an error, or (having accepted) by a lost answer.
    const instead = ([undefined, "error", undefined, "drop"] as const)[(index * 7 + (index >> 2)) % 4];
    if (instead) shop.faults += 1;
    return instead;
  });
  const visitors = await shop.visitors(servers[0], shop.places);
  const answers = await Promise.all(
    visitors.flatMap((visitor) => servers.map((server) => shop.like(visitor, undefined, server))),
  );
  const accepted = answers.filter(isAccepted).length;
  await shop.untilNothingIsOpen();
  const late = await Promise.all(visitors.map((visitor) => shop.like(visitor, undefined, servers[1])));
  return audit(shop, {
    orders: visitors.length,
    expected: {
      "either of a visitor's two may be told of the order, unless its call failed":
        accepted > 0 && accepted < answers.length,
      "everybody is told of it later": late.every(isAccepted),
      "every call is signed": shop.receiver.requests.every(({ verified }) => verified),
    },
  });
}
