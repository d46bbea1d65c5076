import { expect, test } from "@/testing/test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "@upstash/redis";
import { createLedger } from "@/lib/server/likes/ledger";
import { policy, reserveOrder } from "@/testing/ledger/test-orders";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { freePort } from "@/scripts/lib/ports.mjs";
import { startRedis, type RedisServer } from "@/testing/servers/redis-server";
import { pipeTool, runTool } from "@/testing/operator-tools";

/* Long outputs of the operator tools in pipes. */

const count = 5_000;
const folder = mkdtempSync(join(tmpdir(), "test-exports-"));
/** Reads 64 KiB at a time, with a pause of 20 ms, and prints the number of lines. */
const slowReader = `'${process.execPath}' -e "${[
  "let lines = 0;",
  "process.stdin.on('readable', () => {",
  "  const chunk = process.stdin.read();",
  "  if (chunk === null) return;",
  "  lines += chunk.toString('latin1').split('\\\\n').length - 1;",
  "  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);",
  "}).on('end', () => console.log(lines));",
].join("")}"`;

let server: RedisServer;
let env: Record<string, string>;

test.beforeAll(async () => {
  server = await startRedis();
  env = { REDIS_URL: server.url, STATUS_FILE: join(folder, "status") };
  const requester = createTcpRequester(server.url);
  const redis = new Redis(requester);
  await fill(redis);
  requester.close();
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Stores `count` messages and `count` accepted orders in the format of the site. */
async function fill(redis: Redis): Promise<void> {
  const ledger = createLedger(redis, policy);
  const { id } = await ledger.settle(await reserveOrder(ledger));
  const copies = `
    local order = cjson.decode(redis.call('GET', KEYS[1] .. ARGV[1]))
    for n = 2, ARGV[2] do
      order.id = string.format('0000-0000-%04d', n)
      redis.call('SET', KEYS[1] .. order.id, cjson.encode(order), 'EX', 600)
    end`;
  await redis.eval(copies, ["{likes}:v2:order:"], [id, count]);
  const messages = `
    for n = 1, ARGV[1] do
      local id = 'm' .. n
      local message = { id = id, form = 'contact', receivedAt = ARGV[2], fields = { email = 'a@example.com', message = string.rep('x', 500) } }
      redis.call('SET', KEYS[1] .. 'message:' .. id, cjson.encode(message), 'EX', 600)
    end`;
  await redis.eval(messages, ["{inbox}:v1:"], [count, new Date().toISOString()]);
}

const exports = [
  { tool: "inbox", args: ["export"], lines: count },
  { tool: "ledger", args: ["csv"], lines: count + 1 },
];

for (const { tool, args, lines } of exports)
  test.describe(`npm run ${tool} -- ${args}`, () => {
    test("sends all lines to a slow reader", async () => {
      const { status, stdout } = await pipeTool(tool, args, slowReader, env);
      expect({ status, lines: Number(stdout) }).toEqual({ status: 0, lines });
    });

    test("ends without an error when the reader closes the pipe", async () => {
      const { status, stdout, stderr } = await pipeTool(tool, args, "head -1", env);
      expect({ status, stderr, lines: stdout.split("\n").length - 1 }).toEqual({
        status: 0,
        stderr: "",
        lines: 1,
      });
    });
  });

test("exits with 1 and one line about the error", async () => {
  const nowhere = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
  for (const [tool, ...args] of [["inbox", "export"], ["ledger", "csv"], ["not-found"]] as const) {
    const { status, stdout, stderr } = await runTool(tool, args, nowhere);
    expect({ tool, status, stderr }).toEqual({
      tool,
      status: 1,
      stderr: expect.stringMatching(/^Redis: .* failed/),
    });
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stdout).toBe(tool === "ledger" ? "" : stdout);
  }
});
