import { Redis } from "ioredis";
import { startApp } from "@/e2e/support/app-server";
import { attacks, drain, measureTryMs, normalTries, type Attack } from "@/e2e/support/drain";
import { startRedis } from "@/e2e/support/redis-server";
import { limits, networkShares } from "@/lib/config/limits";
import { rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { altchaDifficulty } from "@/lib/config/captcha-difficulty";
import { print } from "@/scripts/lib/terminal";

/*
 * npm run simulate -- drain: what one person can take of a day, by the real product over HTTP, and what is left for
 * everybody else. docs/threat-model.md shows the result. Ends with an error when somebody gets more than their share, or
 * when honest visitors are turned away who should not be.
 */

const honest = 200;
const orders = limits.dailyLikeLimit / limits.likesPerRequest;
const wantedServed = 0.95;

async function main(): Promise<void> {
  const redis = await startRedis();
  const connection = new Redis(redis.url);
  // The work is solved at a cost that leaves the time to the product, and counted in tries.
  const env = { TRUSTED_IP_HEADER: "x-real-ip", BURST_LIMIT_SCALE: "1000000", ALTCHA_COST: "1" };
  const app = await startApp({ redisUrl: redis.url, env });
  const tryMs = measureTryMs();
  const failures: string[] = [];
  try {
    const rows: Record<string, string | number>[] = [];
    for (const attack of attacks) {
      await connection.flushall();
      const row = await runAttack(app.url, attack, tryMs);
      if (row.failure) failures.push(row.failure);
      rows.push(row.cells);
      print(`${attack.name}: ${row.cells.orders} orders, ${row.cells[`of ${honest} served`]} served`);
    }
    console.table(rows);
  } finally {
    await app.stop();
    connection.disconnect();
    await redis.stop();
  }
  print(`Checks were solved at ALTCHA_COST=1 and scaled: a try of ${altchaDifficulty.cost} rounds takes
${tryMs.toFixed(2)} ms of one core here, a check ${normalTries} tries on average at the normal price. Burst limits were lifted:
with them an address passes ${rateLimitPolicies.verify.requests} checks a minute, which the last column counts with.`);
  if (failures.length > 0) throw new Error(failures.join("\n"));
}

async function runAttack(url: string, attack: Attack, tryMs: number) {
  const { orders: taken, seconds, tries, served } = await drain(url, attack, honest);
  const most = attack.network === null ? 100 : networkShares[attack.network];
  const share = (100 * taken) / orders;
  const coreHours = (count: number) => Number(((count * tryMs) / 3_600_000).toFixed(3));
  const cells = {
    from: attack.name,
    orders: taken,
    "share %": Number(share.toFixed(2)),
    "at most %": most,
    seconds: Number(seconds.toFixed(1)),
    "core-hours, normal": coreHours(taken * normalTries),
    "core-hours, grown": coreHours(tries),
    [`of ${honest} served`]: served,
    "minutes by bursts": Math.ceil(
      taken / Math.min(attack.addresses, taken) / rateLimitPolicies.verify.requests,
    ),
  } satisfies Record<string, string | number>;
  const failure =
    share > most
      ? `${attack.name} got ${share} % of the day`
      : attack.network !== null && served < wantedServed * honest
        ? `after ${attack.name} only ${served} of ${honest} were served`
        : null;
  return { cells: cells as Record<string, string | number>, failure };
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
