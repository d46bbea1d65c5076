import { expect } from "@playwright/test";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "@/testing/servers/redis-proxy";
import { idOf, type WebhookReply } from "@/testing/servers/webhook-receiver";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import type { Scenario } from "./fixture";

const visitorsAtOnce = 16;
const seconds = 60;

/** Servers, Redis, its connections and the delivery service fail at random under load. */
export const randomKills: Scenario = async (fixture) => {
  const servers = await Promise.all([fixture.startServer(), fixture.startServer()]);
  const end = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > end;

  fixture.serve(async (request) => {
    await pause(randomBetween(20, 150));
    if (isOver() || Math.random() > 0.3) return undefined;
    fixture.faults += 1;
    const reply = pick<WebhookReply>(["error", "drop", { delayMs: 1_500 }, "redirect", "refuse"]);
    // A correct service does not refuse an order that it has accepted.
    return reply === "refuse" && fixture.received.has(idOf(request)) ? undefined : reply;
  });

  async function killServer(): Promise<void> {
    const index = pick([0, 1] as const);
    await servers[index].kill();
    await pause(randomBetween(100, 500));
    servers[index] = await fixture.startServer({ port: servers[index].port });
  }
  /** Injects a fault into every nth command. */
  async function withFault(n: number, fault: Fault): Promise<void> {
    let commands = 0;
    fixture.proxy.set({ matches: () => ++commands % n === 0, fault });
    await pause(randomBetween(300, 1_500));
    fixture.proxy.set();
  }
  const redisFaults = [
    () => fixture.killRedisFor(randomBetween(100, 1_000)),
    () => fixture.freezeRedisFor(randomBetween(300, 2_500)),
    () => fixture.withRedisFull(() => pause(randomBetween(300, 1_000))),
    () => withFault(5, "lose-response"),
    () => withFault(2, { delayMs: 400 }),
  ];

  async function injectFaults(faults: (() => Promise<void>)[], maxPauseMs: number): Promise<void> {
    while (!isOver()) {
      await pause(randomBetween(100, maxPauseMs));
      fixture.faults += 1;
      await pick(faults)();
    }
  }

  /** New visitors order one after the other, and then try to order again. Some send two requests at once. */
  async function sendOrders(): Promise<void> {
    while (!isOver()) {
      const visitor = await newVisitorInFlow("");
      const twin = Math.random() < 0.2 ? fixture.like(visitor, undefined, servers[1]) : null;
      const response = await fixture.likeUntilFinal(visitor, servers);
      await twin;
      if (response.body.code === "daily_limit") await pause(200);
      else await fixture.like(visitor, "another-key", servers[0]);
    }
  }

  await Promise.all([
    injectFaults([killServer], 3_000),
    injectFaults(redisFaults, 700),
    ...Array.from({ length: visitorsAtOnce }, sendOrders),
  ]);
  expect(fixture.received.size).toBeGreaterThan(20);
  await fixture.audit();
};

function randomBetween(from: number, to: number): number {
  return from + Math.random() * (to - from);
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!;
}
