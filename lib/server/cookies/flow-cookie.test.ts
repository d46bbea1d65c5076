import fc from "fast-check";
import { NextRequest } from "next/server";
import { stringifyCookie } from "cookie";
import type { Flow } from "./flow-cookie";

const oldSecret = "o".repeat(40);
const newSecret = "n".repeat(40);

/** Sets `secrets` as SESSION_SECRET and loads flow-cookie.ts again. */
async function withSecrets(secrets: string): Promise<typeof import("./flow-cookie")> {
  process.env.SESSION_SECRET = secrets;
  process.env.VISITOR_HASH_SECRET = secrets;
  process.env.REDIS_URL = "redis://127.0.0.1:1";
  jest.resetModules();
  return import("./flow-cookie");
}

type Cookies = Record<string, string>;

/** Returns the cookies of a flow, as a browser has them after the responses that wrote them. */
async function cookiesOf(flowCookie: typeof import("./flow-cookie"), flow: Flow): Promise<Cookies> {
  const response = new Response();
  const { headers } = response;
  for (const stage of [{ post: null, receipt: null }, { receipt: null }, {}])
    await flowCookie.writeFlow(response, { ...flow, ...stage });
  for (const path of flow.visited) flowCookie.markVisit(headers, { ...flow, visited: [] }, path);
  if (flow.refusal) flowCookie.markRefusal(headers, flow, flow.refusal);
  const pairs = headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line)?.slice(1) ?? []);
  return Object.fromEntries(pairs) as Cookies;
}

async function sealWith(flowCookie: typeof import("./flow-cookie"), flow: Flow): Promise<string> {
  const cookies = await cookiesOf(flowCookie, flow);
  return decodeURIComponent(cookies[`flow-${flow.startedAt}-link`] ?? "");
}

function requestWith(cookies: Cookies | string): NextRequest {
  const first = `flow-${Date.now()}`;
  const header =
    typeof cookies === "string" ? `${first}=1; ${first}-link=${cookies}` : stringifyCookie(cookies);
  return new NextRequest("http://localhost:3000/", { headers: { cookie: header } });
}

const link = { postId: "Cxyz123abc_", type: "post" as const };
const now = new Date().toISOString();
const receipt = { reference: "XXXX-XXXX-XXXX", ...link, likes: 50, acceptedAt: now, nextAvailable: now };
const visited = ["/verification", "/get-likes"];

it("reads a flow that it wrote", async () => {
  const flowCookie = await withSecrets(newSecret);
  const start = flowCookie.createFlow(link);
  for (const flow of [
    start,
    { ...start, refusal: "private" as const },
    { ...start, post: link, visited },
    { ...start, post: link, visited, receipt },
  ])
    expect(await flowCookie.readFlow(requestWith(await cookiesOf(flowCookie, flow)))).toEqual(flow);
});

it("reads the newest of several flows, and no flow without its first cookie", async () => {
  const flowCookie = await withSecrets(newSecret);
  const older = { ...flowCookie.createFlow(link), startedAt: Date.now() - 1_000, post: link, receipt };
  const newer = flowCookie.createFlow({ ...link, postId: "Newer" });
  const olderCookies = await cookiesOf(flowCookie, older);
  const both = { ...olderCookies, ...(await cookiesOf(flowCookie, newer)) };
  expect(await flowCookie.readFlow(requestWith(both))).toEqual(newer);
  expect(await flowCookie.readFlow(requestWith(olderCookies))).toEqual(older);
  delete olderCookies[`flow-${older.startedAt}`];
  expect(await flowCookie.readFlow(requestWith(olderCookies))).toBeNull();
});

it("returns null and never throws for random text and for changed seals", async () => {
  const flowCookie = await withSecrets(newSecret);
  const seal = await sealWith(flowCookie, flowCookie.createFlow(link));
  const parts = seal.replace(/~2$/, "").split("*");
  const part = fc.oneof(
    fc.constantFrom("", "__proto__", "constructor", "toString", "0", "9".repeat(400)),
    fc.string({ unit: fc.constantFrom(..."AZaz09-_=.~%*") }),
  );
  const changed = fc
    .tuple(fc.nat(parts.length - 1), part)
    .map(([at, text]) => `${parts.with(at, text).join("*")}~2`)
    .filter((text) => text !== seal);
  const anyCookie = fc.oneof(fc.string(), fc.string({ unit: "grapheme-ascii" }), part, changed);
  await fc.assert(
    fc.asyncProperty(anyCookie, async (cookie) => {
      // Removes characters that are not allowed in a Cookie header.
      const text = cookie.replace(/[^\x21-\x7e]|[;,]/g, "");
      expect(await flowCookie.readFlow(requestWith(text))).toBeNull();
    }),
    { seed: 50, numRuns: 2_000 },
  );
});

it("reads old cookies during a rotation of the secret, and rejects them afterwards", async () => {
  const before = await withSecrets(oldSecret);
  const flow = before.createFlow(link);
  const oldCookie = await sealWith(before, flow);
  const during = await withSecrets(`${newSecret},${oldSecret}`);
  expect(await during.readFlow(requestWith(oldCookie))).toEqual(flow);
  const newCookie = await sealWith(during, flow);
  expect(await during.readFlow(requestWith(newCookie))).toEqual(flow);
  const after = await withSecrets(newSecret);
  expect(await after.readFlow(requestWith(newCookie))).toEqual(flow);
  expect(await after.readFlow(requestWith(oldCookie))).toBeNull();
});

it.each([
  ["rejects a flow one hour after the captcha check, even in a new seal", -3_601_000, false],
  ["accepts a start time 30 seconds in the future", 30_000, true],
  ["rejects a start time one day in the future", 86_400_000, false],
])("%s", async (_, ms, isAccepted) => {
  const flowCookie = await withSecrets(newSecret);
  const flow = { ...flowCookie.createFlow(link), startedAt: Date.now() + ms };
  const read = await flowCookie.readFlow(requestWith(await sealWith(flowCookie, flow)));
  expect(read !== null).toBe(isAccepted);
});

it("keeps the cookies of the largest flow below the limit of 4,096 bytes together", async () => {
  const flowCookie = await withSecrets(newSecret);
  const post = { postId: "x".repeat(39), type: "reel" as const };
  const largest = { ...flowCookie.createFlow(post), post, visited, refusal: "private" as const };
  const cookies = await cookiesOf(flowCookie, { ...largest, receipt: { ...receipt, ...post } });
  expect(Object.keys(cookies)).toHaveLength(7);
  expect(stringifyCookie(cookies).length).toBeLessThan(3_000);
});
