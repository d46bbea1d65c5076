import { expect, test, useServers } from "@/testing/test";
import { Agent, request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import fc from "fast-check";
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

/** The post of the flow cookies. No request body contains this post. */
const flowPost = "FlowsOwn_01";

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
const agent = new Agent({ keepAlive: true, maxSockets: concurrentRequests });
const seenCodes = new Set<string>();

test.beforeAll(async () => {
  const visitor = new Visitor(servers.app.url);
  usedToken = await visitor.solveCaptcha();
  await visitor.post("/api/recaptcha/verify", { token: usedToken });
  const inFlow = await newVisitorInFlow(servers.app.url, { postId: flowPost, type: "post" });
  flowCookies = inFlow.cookieHeader();
});
test.afterAll(() => agent.destroy());

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

type ApiResponse = { status: number; type: string; body: string };

/** Sends a request, and sends it again after 503, because an overloaded server may respond 503. */
async function send(method: string, target: string, { headers, body }: Generated): Promise<ApiResponse> {
  for (let tries = 1; ; tries += 1) {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const length = { "content-length": Buffer.byteLength(body) };
      request(`${servers.app.url}${target}`, { method, agent, headers: { ...headers, ...length } }, resolve)
        .on("error", reject)
        .end(body);
    });
    const { statusCode: status = 0, headers: received } = incoming;
    const response = { status, type: received["content-type"] ?? "", body: await text(incoming) };
    if (status !== 503 || tries === 4) return response;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Stack traces, paths, addresses of other servers, and secrets. */
const internals =
  /node_modules|\.next\b|\bat \S+ \(|:\d+:\d+\b|Error:|redis:|secret-of-the-tests|\/work\/|\/tmp\/|\/home\//;

/** Returns the reason why a response is wrong, or null. `maySucceed` tells whether a success may be right. */
function findFault(
  { status, type, body }: ApiResponse,
  maySucceed: (reply: Record<string, unknown>) => boolean,
): string | null {
  if (internals.test(body)) return "contains internals";
  if (!type.startsWith("application/json")) return "is not JSON";
  const reply = JSON.parse(body) as Record<string, unknown>;
  if (reply.success === true) return status === 200 && maySucceed(reply) ? null : "is a wrong success";
  const code = String(reply.code);
  seenCodes.add(code);
  const isFailure = reply.success === false && typeof reply.message === "string" && reply.message !== "";
  const isInTable = (errorTable as Record<string, { status: number }>)[code]?.status === status;
  // The result of a lookup has status 200.
  const isMissingPost = status === 200 && (code === "post_private" || code === "post_missing");
  if (!isFailure || !(isInTable || isMissingPost)) return "is not an error of the table";
  return status >= 500 ? "is a server error" : null;
}

/** Sends random requests. Fails with the smallest request whose response is wrong. */
async function fuzz<T>(
  arbitrary: fc.Arbitrary<T>,
  sendGenerated: (generated: T) => Promise<{ response: ApiResponse; fault: string | null }>,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (generated) => {
    const { response, fault } = await sendGenerated(generated);
    if (fault !== null) throw new Error(`The response ${fault}: ${JSON.stringify(response)}`);
  });
  const numRuns = Math.ceil(requestsPerEndpoint / concurrentRequests);
  const runs = Array.from({ length: concurrentRequests }, (_, n) => ({ seed: seed + n, numRuns }));
  await Promise.all(runs.map((run) => fc.assert(property, run)));
}

/** Returns whether the body of a request to /api/404 is valid. */
function isReport(body: string | Buffer): boolean {
  const { path } = JSON.parse(body.toString()) as { path?: unknown };
  return typeof path === "string" && path.startsWith("/") && path.length <= 2_000;
}

for (const [target, valid] of Object.entries(endpoints))
  test(`refuses random requests to POST ${target}`, async () => {
    await fuzz(fc.record({ body: anyBody(valid), headers: anyHeaders }), async (generated) => {
      const response = await send("POST", target, generated);
      const maySucceed = () => target === "/api/404" && isReport(generated.body);
      return { response, fault: findFault(response, maySucceed) };
    });
  });

test("responds to random queries of post-details only with the post of the flow", async () => {
  const links = fc.constantFrom(postLink, flowPost, `https://www.instagram.com/reel/${flowPost}/`);
  const value = mostly(fc.oneof(links, damaged(fc.constant(postLink))), anyText);
  const name = mostly(fc.constantFrom("url", "id"), anyText, 5);
  const query = fc.oneof(
    fc.array(fc.tuple(name, value), { maxLength: 3 }).map((pairs) => new URLSearchParams(pairs).toString()),
    fc.string({ unit: "grapheme-ascii" }).map((given) => given.replace(/[ #]/g, "")),
  );
  await fuzz(fc.record({ query, headers: anyHeaders }), async ({ query: given, headers }) => {
    const response = await send("GET", `/api/instagram/post-details?${given}`, { body: "", headers });
    const maySucceed = ({ postId }: Record<string, unknown>) =>
      postId === flowPost && headers.cookie === flowCookies;
    // The HTTP guard refuses a long URL, without a body.
    const isTooLong = response.status === 414 && given.length > 4_000;
    return { response, fault: isTooLong ? null : findFault(response, maySucceed) };
  });
});

test("has reached the checks behind the schemas", () => {
  const codes = ["captcha_rejected", "flow_required", "post_mismatch", "unauthorized"];
  expect([...seenCodes]).toEqual(expect.arrayContaining(codes));
});

test("writes only a few keys that expire to Redis, and logs no error", async () => {
  const keys = await servers.store.keys("*");
  const known =
    /^(?:burst:\w+:(?:[\w-]{43}:\d+|[\w-]{22})|\{lookup\}:(?:flow|shares):[\w-]{22}|\{captcha\}:(?:used|accepted):[\w-]{43}|not-found:paths)$/;
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
