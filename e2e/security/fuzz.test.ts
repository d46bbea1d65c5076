import { expect, test, useServers } from "../support/test";
import { Agent, request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { errorTable } from "@/lib/http/errors";
import { createFlow, sealFlow } from "@/lib/server/identity/flow-cookie";
import { sessionSecret } from "../support/servers/app-server";
import { postLink } from "../support/sample-posts";
import { Visitor } from "../support/visitor";
import { goodInput } from "../forms/inputs";

/*
 * Generated requests: whatever is sent, the API answers with a failure of its table (never a 500), tells nothing of its
 * inside, calls nothing a success that was not earned, and leaves nothing in Redis that does not end by itself.
 *
 * A failure prints the seed and the smallest request that shows it. FUZZ_REQUESTS (of each endpoint) and FUZZ_SEED change
 * the run: FUZZ_REQUESTS=10000 npm run test:e2e -- e2e/security/fuzz.test.ts
 */
const requestsPerEndpoint = Number(process.env.FUZZ_REQUESTS ?? 250);
const seed = Number(process.env.FUZZ_SEED ?? 50);
/** Requests that are under way at once. */
const lanes = 20;

/** What each endpoint takes, as near to success as a request without a human check can be. */
const endpoints: Record<string, Record<string, unknown>> = {
  "/api/recaptcha/verify": { url: postLink },
  // The flow of these requests is another post's.
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
    BURST_LIMIT_SCALE: "1000000",
    CRON_SECRET: "cron-secret-of-the-tests",
  },
});
let usedToken: string;
let flowCookie: string;
/** The post of that flow. */
const ownPost = "FlowsOwn_01";
const agent = new Agent({ keepAlive: true, maxSockets: lanes });
const tally = { requests: 0, accepted: 0, busy: 0, refused: new Map<string, number>(), seconds: 0, keys: 0 };

test.beforeAll(async () => {
  const visitor = new Visitor(servers.app.url);
  usedToken = await visitor.solveCaptcha();
  await visitor.post("/api/recaptcha/verify", { token: usedToken });
  await servers.store.flushall();
  await visitor.post("/api/recaptcha/verify", { token: usedToken });
  const post = { postId: ownPost, type: "post" as const };
  flowCookie = await sealFlow({ ...createFlow(post), post }, [sessionSecret]);
});
test.afterAll(async () => {
  agent.destroy();
  const refused = [...tally.refused].sort().map(([code, count]) => `${code} ${count}`);
  process.stdout.write(
    `fuzz, seed ${seed}: ${tally.requests} requests in ${tally.seconds.toFixed(1)} s ` +
      `(${Math.round(tally.requests / tally.seconds)} a second), ${tally.accepted} accepted, ` +
      `refused: ${refused.join(", ")}; ${tally.busy} sent again, ${tally.keys} keys left\n`,
  );
});

interface Generated {
  body: string | Buffer;
  headers: Record<string, string>;
}

/** Text of any kind: words, any Unicode with lone surrogates, long. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom(
    "",
    " ",
    "null",
    "__proto__",
    "constructor",
    "\0",
    "\ud800",
    "../",
    "${7*7}",
    "'\"><",
    "x".repeat(6_000),
  ),
);
const anyValue = fc.oneof(anyText, fc.jsonValue(), fc.double(), fc.constantFrom(null, true, [], {}));

/** A valid body of which some fields are missing, changed, or joined by others. */
function nearValid(valid: Record<string, unknown>): fc.Arbitrary<string> {
  const fields = Object.fromEntries(
    Object.entries(valid).map(([name, value]) => [
      name,
      fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: anyValue }),
    ]),
  );
  // Read late: the token is solved once the server runs.
  const token = fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined).map(() => usedToken) },
    { weight: 1, arbitrary: fc.nat().map((at) => usedToken.slice(0, at % usedToken.length)) },
    { weight: 2, arbitrary: anyValue },
  );
  const others = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString")),
        anyValue,
      ),
    },
  );
  return fc
    .tuple(others, fc.record({ ...fields, token }, { requiredKeys: [] }))
    .map(([more, record]) => JSON.stringify({ ...more, ...record }));
}

/** A text with a piece of it replaced. */
const damaged = (whole: fc.Arbitrary<string>) =>
  fc.tuple(whole, fc.nat(), fc.nat(10), anyText).map(([given, at, length, piece]) => {
    const start = at % (given.length + 1);
    return given.slice(0, start) + piece + given.slice(start + length);
  });

function anyBody(valid: Record<string, unknown>): fc.Arbitrary<string | Buffer> {
  const near = nearValid(valid);
  return fc.oneof(
    { weight: 6, arbitrary: near },
    { weight: 2, arbitrary: damaged(near) },
    { weight: 3, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 15_000, max: 40_000 })
        .map((n) => JSON.stringify({ ...valid, token: "x".repeat(n) })),
    },
  );
}

/** Printable, as a header's value must be to reach the server at all. */
const headerText = fc.string({ unit: "grapheme-ascii", maxLength: 100 });
const anyHeaders: fc.Arbitrary<Record<string, string>> = fc
  .record(
    {
      "content-type": fc.oneof(
        { weight: 12, arbitrary: fc.constant("application/json") },
        { weight: 1, arbitrary: headerText },
      ),
      "idempotency-key": headerText,
      "x-visitor-fingerprint": headerText,
      authorization: fc.oneof(
        headerText,
        headerText.map((token) => `Bearer ${token}`),
      ),
      cookie: fc.oneof(
        fc.constant(undefined).map(() => `flow=${flowCookie}`),
        headerText.map((value) => `flow=${value}; rate-limit=${value}`),
      ),
    },
    { requiredKeys: ["content-type"] },
  )
  .map((headers) => headers as Record<string, string>);

interface Answer {
  status: number;
  type: string;
  body: string;
}

/** Sends a request; again when the server had no time for it, as it may say in a flood of them, and means nothing else. */
async function send(method: string, target: string, generated: Generated): Promise<Answer> {
  let answer = await sendOnce(method, target, generated);
  for (let tries = 1; answer.status === 503 && tries < 4; tries += 1) {
    tally.busy += 1;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    answer = await sendOnce(method, target, generated);
  }
  return answer;
}

async function sendOnce(method: string, target: string, { headers, body }: Generated): Promise<Answer> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(
      `${servers.app.url}${target}`,
      { method, agent, headers: { ...headers, "content-length": Buffer.byteLength(body) } },
      resolve,
    );
    outgoing.on("error", reject).end(body);
  });
  return {
    status: incoming.statusCode ?? 0,
    type: incoming.headers["content-type"] ?? "",
    body: await text(incoming),
  };
}

/** What a server tells of its inside: places in code, paths, addresses, secrets. */
const inside =
  /node_modules|\.next\b|\bat \S+ \(|:\d+:\d+\b|Error:|redis:|secret-of-the-tests|\/work\/|\/tmp\/|\/home\//;

/** Why an answer is wrong, or null. `earned` says of a success whether the request may have it. */
function faultOf(
  { status, type, body }: Answer,
  earned: (reply: Record<string, unknown>) => boolean,
): string | null {
  if (inside.test(body)) return "tells of its inside";
  if (!type.startsWith("application/json")) return "is no JSON";
  const reply = JSON.parse(body) as Record<string, unknown>;
  if (reply.success === true) {
    tally.accepted += 1;
    return status === 200 && earned(reply) ? null : "is a success that was not earned";
  }
  const code = String(reply.code);
  const known = (errorTable as Record<string, { status: number }>)[code]?.status;
  tally.refused.set(code, (tally.refused.get(code) ?? 0) + 1);
  const asDocumented =
    reply.success === false && typeof reply.message === "string" && reply.message !== "" && known === status;
  // A missing post is an answer, not a failure of the request.
  const isMissing = status === 200 && (code === "post_private" || code === "post_missing");
  if (!asDocumented && !isMissing) return "is no failure of the table";
  return status >= 500 ? "is a failure of the server" : null;
}

/** Sends generated requests, several lanes of them at once, and fails with the smallest one whose answer is wrong. */
async function fuzz<T>(
  arbitrary: fc.Arbitrary<T>,
  ask: (generated: T) => Promise<{ answer: Answer; fault: string | null }>,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (generated) => {
    tally.requests += 1;
    const { answer, fault } = await ask(generated);
    if (fault !== null) throw new Error(`The answer ${fault}: ${JSON.stringify(answer)}`);
  });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      fc.assert(property, { seed: seed + lane, numRuns: Math.ceil(requestsPerEndpoint / lanes) }),
    ),
  );
  tally.seconds += (performance.now() - startedAt) / 1_000;
}

/** The paths that may be reported as not found. */
function isReport(body: string | Buffer): boolean {
  const { path } = JSON.parse(body.toString()) as { path?: unknown };
  return typeof path === "string" && path.startsWith("/") && path.length <= 2_000;
}

test.describe("generated requests", () => {
  for (const [target, valid] of Object.entries(endpoints))
    test(`POST ${target}`, async () => {
      test.setTimeout(300_000);
      const generated = fc.record({ body: anyBody(valid), headers: anyHeaders });
      await fuzz(generated, async (given) => {
        const answer = await send("POST", target, given);
        return { answer, fault: faultOf(answer, () => target === "/api/404" && isReport(given.body)) };
      });
    });

  test("GET /api/instagram/post-details", async () => {
    test.setTimeout(300_000);
    const value = fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constantFrom(postLink, ownPost, `https://www.instagram.com/reel/${ownPost}/`),
      },
      { weight: 2, arbitrary: damaged(fc.constant(postLink)) },
      { weight: 1, arbitrary: anyText },
    );
    const name = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom("url", "id") },
      { weight: 1, arbitrary: anyText },
    );
    const query = fc.oneof(
      fc
        .array(fc.tuple(name, value), { maxLength: 3 })
        .map((pairs) => new URLSearchParams(pairs.map(([key, text]) => [key, text])).toString()),
      fc.string({ unit: "grapheme-ascii" }).map((text) => text.replace(/[ #]/g, "")),
    );
    await fuzz(fc.record({ query, headers: anyHeaders }), async ({ query: given, headers }) => {
      const answer = await send("GET", `/api/instagram/post-details?${given}`, { body: "", headers });
      // The sample lookup knows every post; told of is the flow's own alone.
      const earned = ({ postId }: Record<string, unknown>) =>
        postId === ownPost && headers.cookie === `flow=${flowCookie}`;
      return { answer, fault: faultOf(answer, earned) };
    });
  });
});

test("leaves nothing in Redis but counts that end by themselves, and no error in the log", async () => {
  const keys = await servers.store.keys("*");
  tally.keys = keys.length;
  const unexpected = keys.filter(
    (key) =>
      !/^(?:burst:\w+:[\w-]{43}:\d+|lookup:flow:[\w-]{22}|lookup:address:[\w-]{43}:\d+|captcha:used:[\w-]{43}|not-found:paths)$/.test(
        key,
      ),
  );
  expect(unexpected).toEqual([]);
  // One count by policy and minute, the one token that was used, and the unknown paths.
  expect(keys.length).toBeLessThan(100);
  const lives = await Promise.all(keys.map((key) => servers.store.pttl(key)));
  expect(lives.every((life) => life > 0 || life === -2)).toBe(true);
  const paths = await servers.store.zrange<string[]>("not-found:paths", 0, -1);
  expect(paths.length).toBeLessThanOrEqual(500);
  expect(paths.every((path) => String(path).length <= 200)).toBe(true);
  expect(
    servers.app
      .output()
      .split("\n")
      .filter((line) => /request failed|⨯|Error/.test(line)),
  ).toEqual([]);
});
