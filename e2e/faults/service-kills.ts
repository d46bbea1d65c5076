import { startDeliveryService, type DeliveryService } from "../support/servers/delivery-service";
import { liveDelivery } from "../support/servers/live-delivery";
import { runTool } from "../support/tool";
import { until } from "../support/until";
import { pause, Shop } from "./shop";

export interface ServiceFindings {
  orders: number;
  kills: number;
  /** Requests of visitors, and those of them that were told of a failure while the service was away. */
  requests: number;
  failures: number;
  /** Calls for an order that the service had taken before: its first answer was lost, or nobody had waited for it. */
  repeated: number;
  seconds: number;
  /** What does not agree, one line each. */
  broken: string[];
}

/** How long the service is gone after a kill, in milliseconds. */
const awayMs = 200;

/**
 * Lets visitors make orders at the product, which delivers them to examples/delivery-service, and kills that again and
 * again in between; then compares the ledger's CSV, the service's export, the budget and what visitors were told.
 */
export async function killService({
  orders,
  kills,
}: {
  orders: number;
  kills: number;
}): Promise<ServiceFindings> {
  const startedAt = performance.now();
  const shop = await Shop.open(orders);
  try {
    const service = await startDeliveryService();
    shop.atClose(() => service.stop());
    const server = await shop.startServer({ env: liveDelivery(service) });
    const visitors = await shop.visitors(server, orders);
    await Promise.all([shop.traffic(visitors), killInBetween(shop, service, { orders, kills })]);
    await shop.untilNothingIsOpen();
    const broken = await compareBooks(shop, service, orders);
    return {
      orders,
      kills,
      requests: shop.requests,
      failures: shop.failures,
      repeated: service.output().split(" repeated: ").length - 1,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      broken,
    };
  } finally {
    await shop.close();
  }
}

/** Spreads the kills over the orders, each in the middle of the traffic. */
async function killInBetween(
  shop: Shop,
  service: DeliveryService,
  { orders, kills }: { orders: number; kills: number },
): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    const reached = Math.floor((orders * kill) / (kills + 1));
    await until(`${reached} orders`, () => shop.told.size >= reached, 120_000);
    await service.kill();
    await pause(awayMs);
    await service.restart();
  }
}

async function compareBooks(shop: Shop, service: DeliveryService, orders: number): Promise<string[]> {
  const ledger = async (command: string) =>
    (await runTool("ledger", [command], { REDIS_URL: shop.redisServer.url, ...liveDelivery(service) }))
      .stdout;
  const [, ...rows] = (await ledger("csv")).trimEnd().split("\r\n");
  const sold = rows.map((row) => {
    const [id, , , , post, likes] = row.split(",");
    return `${id} ${likes} https://www.instagram.com/p/${post}/`;
  });
  const exported = await service.exported();
  const kept = exported.map(({ id, likes, postUrl }) => `${id} ${likes} ${postUrl}`);
  const told = [...shop.told.values()].flatMap((references) => [...references]);
  const charged = /Charged today +([\d,]+) likes/.exec(await ledger("budget"))?.[1]?.replaceAll(",", "");
  const agreements: Record<string, boolean> = {
    [`the ledger sold ${sold.length} orders of ${orders}`]: new Set(sold).size === orders,
    [`the service kept ${kept.length} orders of ${orders}`]: kept.length === orders,
    "ledger and service have the same orders": sameTexts(sold, kept),
    "visitors were told of these orders, each of one": sameTexts(
      told,
      exported.map(({ id }) => id),
    ),
    [`${charged} likes were charged for ${orders} orders`]: Number(charged) === 50 * orders,
  };
  return Object.keys(agreements).filter((name) => !agreements[name]);
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return [...some].sort().join("\n") === [...others].sort().join("\n");
}
