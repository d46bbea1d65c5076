import { envSchema } from "@/lib/server/config/env-schema";
import { orderCases, testCases, tryReceiver } from "./receiver-cases";
import { fail, parseArguments, print, runTool } from "./terminal";

/* npm run check-receiver: does a delivery service keep to the contract of docs/delivery.md? */

const usage = `Usage: npm run check-receiver -- [address of the service] [--creates-orders] [--env FILE]
  Sends the calls of the contract, signed with LIKE_WEBHOOK_SECRET, and checks the responses. The exit status is 1 when
  a response is wrong. Without --creates-orders all calls are test calls, which create no orders. The default address is
  LIKE_WEBHOOK_URL. --env reads the settings from FILE.`;

const settings = envSchema.pick({
  LIKE_WEBHOOK_URL: true,
  LIKE_WEBHOOK_SECRET: true,
  LIKE_WEBHOOK_TIMEOUT_MS: true,
});

const { positionals, values } = parseArguments(usage, {
  allowPositionals: true,
  options: { "creates-orders": { type: "boolean", default: false } },
});

runTool(run);

async function run(): Promise<number> {
  const [address = process.env.LIKE_WEBHOOK_URL, ...others] = positionals;
  const { data, error } = settings.safeParse({ ...process.env, LIKE_WEBHOOK_URL: address || undefined });
  if (error) return fail(error.issues.map(({ path, message }) => `${path.join()}: ${message}`).join("\n"));
  const { LIKE_WEBHOOK_URL: url } = data;
  if (!url || others.length > 0) return fail(usage);
  const { LIKE_WEBHOOK_SECRET: secret, LIKE_WEBHOOK_TIMEOUT_MS: timeoutMs } = data;
  if (!secret) return fail("LIKE_WEBHOOK_SECRET: is required, with the value that the service uses.");

  const cases = values["creates-orders"] ? [...testCases, ...orderCases] : testCases;
  const { results, orders } = await tryReceiver({ url, secret, timeoutMs }, cases);
  for (const { passed, name, expected, came, ids, advice } of results) {
    print(`${passed ? "ok    " : "FAILED"}  ${name}: ${came}${passed ? "" : `; expected: ${expected}`}`);
    if (!passed) print(`        sent with ${ids.join(", ")}\n        ${advice}`);
  }
  if (orders.length > 0)
    print(`\nTest orders that the service holds, or may hold after a time-out: ${orders.join(", ")}`);
  const failed = results.filter(({ passed }) => !passed).length;
  print(`\n${results.length - failed} ok, ${failed} failed`);
  if (results.length === 1) print("The other calls were not sent, because the first one failed.");
  else if (!values["creates-orders"])
    print("Order calls were not sent. --creates-orders sends them and creates test orders.");
  return failed > 0 ? 1 : 0;
}
