import { expect, test, useServers } from "@/testing/test";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { Agent, request } from "undici";
import { errorTable } from "@/lib/http/errors";
import { postLink } from "@/testing/sample-posts";
import { Visitor } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { goodInput } from "@/testing/good-input";

/*
 * Random requests. The API must respond with an error of its table, but never with 500. The response must contain no
 * internals. All keys in Redis must expire. A failed test prints the seed and the smallest failing request. To change
 * the run: FUZZ_REQUESTS=10000 FUZZ_SEED=1 npm run test:e2e -- e2e/security/fuzz.test.ts
 */
const requestsPerEndpoint = Number(process.env.FUZZ_REQUESTS ?? 250);
const seed = Number(process.env.FUZZ_SEED ?? 50);
const concurrentRequests = 20;
test.describe.configure({ timeout: 300_000 });

/** Valid bodies without a captcha token. */
const endpoints: Record<string, Record<string, unknown>> = {
  "/api/recaptcha/verify": { url: postLink },
  "/api/instagram/like": { instagramUrl: postLink },
  "/api/contact/submit": goodInput.contact,
  "/api/feedback/submit": goodInput.feedback,
  "/api/issue/submit": { ...goodInput.issue, url: postLink, steps: "None", reproduceIssue: true },
  "/api/404": { path: "/nowhere" },
  "/api/cron/reconcile": { orderId: "0000-0000-0000" },
};

const servers = useServers({
  env: {
    TRUSTED_IP_HEADER: undefined,
    TEST_RATE_LIMIT_SCALE: "1000000",
    CRON_SECRET: "cron-secret-of-the-tests",
  },
});
let usedToken: string;
let flowCookies: string;
const dispatcher = new Agent({ connections: concurrentRequests });
const seenCodes = new Set<string>();

test.beforeAll(async () => {
  const visitor = new Visitor(servers.app.url);
  usedToken = await visitor.solveCaptcha();
  await visitor.post("/api/recaptcha/verify", { token: usedToken });
  // No request body contains the post of this flow.
  const inFlow = await newVisitorInFlow(servers.app.url, { postId: "FlowsOwn_01", type: "post" });
  flowCookies = inFlow.cookieHeader();
});
test.afterAll(() => dispatcher.destroy());

interface Generated {
  body: string | Buffer;
  headers: Record<string, string>;
}

const specialTexts = ["", " ", "null", "__proto__", "constructor", "\0", "\ud800", "../", "${7*7}", "'\"><"];
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom(...specialTexts, "x".repeat(6_000)),
);
const anyValue = fc.oneof(anyText, fc.jsonValue(), fc.double(), fc.constantFrom(null, true, [], {}));

/** Mostly `usual`, sometimes `other`. */
const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight = 4) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

/** A valid body with missing, changed and additional fields, as JSON. */
function changedBody(valid: Record<string, unknown>): fc.Arbitrary<string> {
  const fields = Object.fromEntries(
    Object.entries(valid).map(([name, value]) => [name, mostly<unknown>(fc.constant(value), anyValue, 6)]),
  );
  const wholeToken = fc.constant(undefined).map(() => usedToken);
  const cutToken = fc.nat().map((at) => usedToken.slice(0, at % usedToken.length));
  const token = mostly<unknown>(wholeToken, fc.oneof(cutToken, anyValue));
  const names = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString"));
  const additional = mostly<object>(fc.constant({}), fc.dictionary(names, anyValue));
  return fc
    .tuple(additional, fc.record({ ...fields, token }, { requiredKeys: [] }))
    .map(([more, record]) => JSON.stringify({ ...more, ...record }));
}

/** A text with a part of it replaced. */
const damaged = (whole: fc.Arbitrary<string>) =>
  fc.tuple(whole, fc.nat(), fc.nat(10), anyText).map(([given, at, length, part]) => {
    const start = at % (given.length + 1);
    return given.slice(0, start) + part + given.slice(start + length);
  });

function anyBody(valid: Record<string, unknown>): fc.Arbitrary<string | Buffer> {
  const changed = changedBody(valid);
  const long = fc
    .integer({ min: 15_000, max: 40_000 })
    .map((length) => JSON.stringify({ ...valid, token: "x".repeat(length) }));
  return fc.oneof(
    { weight: 6, arbitrary: changed },
    { weight: 2, arbitrary: damaged(changed) },
    { weight: 3, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: long },
  );
}

/** Printable ASCII. Node's HTTP client sends no other characters in headers. */
const headerText = fc.string({ unit: "grapheme-ascii", maxLength: 100 });
const optionalHeaders = {
  "idempotency-key": headerText,
  "x-visitor-fingerprint": headerText,
  authorization: fc.oneof(
    headerText,
    headerText.map((token) => `Bearer ${token}`),
  ),
  cookie: fc.oneof(
    fc.constant(undefined).map(() => flowCookies),
    headerText.map((value) => `flow-1763683200000=${value}; rate-limit=${value}`),
  ),
};
const contentType = mostly(fc.constant("application/json"), headerText, 12);
const anyHeaders = fc
  .record({ "content-type": contentType, ...optionalHeaders }, { requiredKeys: ["content-type"] })
  .map((headers) => headers as Record<string, string>);

/** Sends a request, and sends it again after 503, because an overloaded server may respond 503. */
async function send(target: string, generated: Generated) {
  for (let tries = 1; ; tries += 1) {
    const response = await request(servers.app.url + target, { method: "POST", dispatcher, ...generated });
    const { statusCode: status, headers } = response;
    const text = await response.body.text();
    if (status !== 503 || tries === 4) return { status, type: headers["content-type"], text };
    await pause(1_000);
  }
}

/** Stack traces, paths, addresses of other servers, and secrets. */
const internals =
  /node_modules|\.next\b|\bat \S+ \(|:\d+:\d+\b|Error:|redis:|secret-of-the-tests|\/work\/|\/tmp\/|\/home\//;

/** Returns whether the body of a request to /api/404 is valid. */
function isReport(body: string | Buffer): boolean {
  const { path } = JSON.parse(body.toString()) as { path?: unknown };
  return typeof path === "string" && path.startsWith("/") && path.length <= 2_000;
}

for (const [target, valid] of Object.entries(endpoints))
  test(`refuses random requests to POST ${target}`, async () => {
    const generated = fc.record({ body: anyBody(valid), headers: anyHeaders });
    const property = fc.asyncProperty(generated, async ({ body, headers }) => {
      const { status, type, text } = await send(target, { body, headers });
      expect(text).not.toMatch(internals);
      expect(type).toMatch(/^application\/json/);
      const reply = JSON.parse(text) as { success: unknown; code: keyof typeof errorTable };
      if (status === 200 && reply.success === true && target === "/api/404" && isReport(body)) return;
      expect(reply).toMatchObject({ success: false, message: expect.stringMatching(/./) });
      expect(errorTable[reply.code]?.status, text).toBe(status);
      expect(status).toBeLessThan(500);
      seenCodes.add(reply.code);
    });
    const numRuns = Math.ceil(requestsPerEndpoint / concurrentRequests);
    const runs = Array.from({ length: concurrentRequests }, (_, n) => ({ seed: seed + n, numRuns }));
    await Promise.all(runs.map((run) => fc.assert(property, run)));
  });

test("has reached the checks behind the schemas", () => {
  const codes = ["captcha_rejected", "flow_required", "post_mismatch", "unauthorized"];
  expect([...seenCodes]).toEqual(expect.arrayContaining(codes));
});

test("writes only a few keys that expire to Redis, and logs no error", async () => {
  const keys = await servers.store.keys("*");
  const known =
    /^(?:burst:\w+:[\w-]{22}|\{likes\}:lookup:(?:flow|shares):[\w-]{22}|\{captcha\}:(?:used|accepted):[\w-]{43}|not-found:paths)$/;
  expect(keys.filter((key) => !known.test(key))).toEqual([]);
  expect(keys.length).toBeLessThan(100);
  const lives = await Promise.all(keys.map((key) => servers.store.pttl(key)));
  // Redis returns -2 if the key has expired in the meantime.
  expect(lives.filter((life) => life <= 0 && life !== -2)).toEqual([]);
  const paths = await servers.store.zrange<string[]>("not-found:paths", 0, -1);
  expect(paths.length).toBeLessThanOrEqual(500);
  expect(paths.filter((path) => String(path).length > 200)).toEqual([]);
  const lines = servers.app.output().split("\n");
  expect(lines.filter((line) => /request failed|⨯|Error/.test(line))).toEqual([]);
});
