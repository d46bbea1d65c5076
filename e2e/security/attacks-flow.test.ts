import { expect, test, useServers } from "@/testing/test";
import { createFlow, type Flow } from "@/lib/server/cookies/flow-cookie";
import { rawRequest, type RawRequest } from "@/testing/raw-http";
import { startHttpDouble } from "@/testing/servers/http-double";
import { postCode, postLink } from "@/testing/sample-posts";
import { newAddress, referenceOf, Visitor } from "@/testing/visitor";
import { sealFlow } from "@/testing/visitor-in-flow";

/* Attacks on the flow. No request of a new visitor opens a guarded page or orders likes. One captcha check allows one order. */

const post = { postId: postCode, type: "post" as const };
const likeBody = JSON.stringify({ instagramUrl: postLink });

const servers = useServers({}, async (servers) => {
  const env = { SITE_URL: "https://likes.example.com" };
  const [app, httpsApp] = await Promise.all([servers.start(), servers.start({ env })]);
  return { app, httpsApp };
});
test.beforeEach(async () => {
  await servers.store.flushall();
});

const countOrders = async () => (await servers.store.keys("{likes}:v2:order:*")).length;

/** A flow after the captcha check, at step 3. */
const newFlow = (changes: Partial<Flow> = {}): Flow => ({ ...createFlow(post), post, ...changes });
const sealedFlow = () => sealFlow(newFlow());

/** Returns a new visitor with this flow cookie, who has opened all pages. */
function visitorWith(cookie: string, { url = servers.app.url, prefix = "" } = {}) {
  const visitor = new Visitor(url);
  const name = `${prefix}flow-${Date.now()}`;
  visitor.cookies.set(name, "1").set(`${name}-link`, cookie);
  for (const page of ["verification", "get-likes"]) visitor.cookies.set(`${name}-${page}`, "1");
  return visitor;
}

/** The guarded pages. Each title occurs on no other page. */
const guarded = {
  "/verification": "Checking Your Instagram Post | Boost50",
  "/get-likes": "Get 50 Free Instagram Likes | Boost50",
  "/success": "Likes Sent Successfully | Boost50",
  [`/preview/${post.postId}`]: "Get Likes for Your Post | Boost50",
};
const guardedTitles = Object.values(guarded);

/** Sends a request of a new visitor. Fails for a server error, a guarded page or a redirect to another site. */
async function expectNoAccess(request: RawRequest): Promise<number> {
  const { status, headers, body } = await rawRequest(servers.app.port, request);
  const about = JSON.stringify([request.target, request.headers]).slice(0, 300);
  const location = headers.get("location");
  expect({
    about,
    hasStatus: status >= 200 && status < 500,
    shown: guardedTitles.filter((title) => body.includes(title)),
    redirect: location !== null && !/^\/(?![/\\])/.test(location) ? location : null,
  }).toEqual({ about, hasStatus: true, shown: [], redirect: null });
  return status;
}

test("shows each guarded page, with its title, to a visitor with the right flow cookie", async () => {
  const now = new Date().toISOString();
  const receipt = { reference: "0000-0000-0000", ...post, likes: 50, acceptedAt: now, nextAvailable: now };
  for (const [path, title] of Object.entries(guarded)) {
    // With a receipt, the earlier steps redirect to the receipt.
    const cookie = await sealFlow(newFlow(path === "/success" ? { receipt } : {}));
    const { html } = await visitorWith(cookie).visit(`${path}?from=url-entry`);
    expect({ path, shown: html.includes(title) }).toEqual({ path, shown: true });
  }
});

/** Headers that bypass the middleware or change the path in some versions of Next.js, and in some proxies. */
const bypassHeaders = `
  x-middleware-next:1 x-middleware-rewrite:/get-likes x-middleware-override-headers:cookie
  x-middleware-request-cookie:flow-1763683200000=x x-nextjs-data:1 x-invoke-path:/get-likes x-matched-path:/get-likes
  x-now-route-matches:1=get-likes x-prerender-revalidate:x next-resume:1 next-action:${"0".repeat(42)} rsc:1
  next-router-prefetch:1 next-router-segment-prefetch:/_tree x-original-url:/get-likes x-rewrite-url:/get-likes
  x-forwarded-host:evil.example x-http-method-override:PUT purpose:prefetch host:evil.example`;

const otherBypassHeaders = [
  "cookie:__prerender_bypass=x; __next_preview_data=x",
  "cookie:flow-1763683200000=1; flow-1763683200000-link=; __Host-flow-1763683200000=; rate-limit=",
  ...["middleware", "src/middleware", "pages/_middleware"].map(
    (name) => `x-middleware-subrequest:${Array<string>(5).fill(name).join(":")}`,
  ),
];

for (const header of [...bypassHeaders.trim().split(/\s+/), ...otherBypassHeaders])
  test(`gives no access for the header ${header}`, async () => {
    const [name = "", ...value] = header.split(":");
    const line = [name, value.join(":")] as const;
    for (const path of Object.keys(guarded)) {
      for (const target of [path, `${path}/?from=url-entry`, `${path}.rsc`, `${path}?from=url-entry&_rsc`]) {
        await expectNoAccess({ target, headers: [line] });
        await expectNoAccess({ target, headers: [line, ["rsc", "1"]] });
      }
    }
    await expectNoAccess({ target: "/", headers: [line] });
    const like = await rawRequest(servers.app.port, {
      method: "POST",
      target: "/api/instagram/like",
      headers: [["content-type", "application/json"], ["x-real-ip", newAddress()], line],
      body: likeBody,
    });
    expect(like).toMatchObject({ status: 403, body: expect.stringContaining('"code":"flow_required"') });
    expect(await countOrders()).toBe(0);
  });

/** Returns unusual spellings of a path, and paths of other files and addresses that Next.js may have for its page. */
function variantsOf(path: string): string[] {
  const name = path.slice(1);
  const code = path.charCodeAt(1).toString(16);
  const variants = `
    /${path} ${path}// /./${name} /x/..${path} /_next/static/../..${path} /api/..${path} /x/%2e%2e${path} /x/..%2f${name}
    /%2f${name} /\\${name} ${path}%2f ${path}%5c ${path}/. /%${code}${path.slice(2)} /%25${code}${path.slice(2)}
    ${path.toUpperCase()} ${path}/index.rsc ${path}?__nextDataReq=1 ${path}?nxtPpostId=shell&nextParamPostId=shell
    /_next/data/build-id${path}.json /_next/image?url=${encodeURIComponent(path)}&w=640&q=75 /(flow)${path} /app${path}/page
    http://localhost:80${path} http://evil.example${path}`;
  const endings = `;x %00 %0a %20 . ~ % %ff .html .rsc .txt .json .prefetch.rsc .meta .body .action
    .segments/_tree.segment.rsc .segments/!KGZsb3cp/get-likes/__PAGE__.segment.rsc`;
  const words = (text: string) => text.trim().split(/\s+/);
  return [...words(variants), ...words(endings).map((ending) => path + ending)];
}

for (const path of [...Object.keys(guarded), "/preview/shell", "/start-over"])
  test(`gives no access for variants of the path ${path}`, async () => {
    for (const target of variantsOf(path)) {
      await expectNoAccess({ target });
      await expectNoAccess({ target, headers: [["rsc", "1"]] });
    }
  });

test("refuses malformed targets, and redirects to no other site", async () => {
  const targets = `
    /% /%00 /\u00ff /..%2f..%2fetc/passwd /../../etc/passwd //evil.example/%2f.. /\\evil.example ///evil.example
    /%2fevil.example /%09/evil.example /@evil.example`;
  for (const target of targets.trim().split(/[ \n]+/)) await expectNoAccess({ target });
  for (const target of ["*", "evil.example", "/with a space", "/with-nul\0"]) {
    expect({ target, status: await expectNoAccess({ target }) }).toEqual({ target, status: 400 });
  }
  expect(await expectNoAccess({ target: `/${"a".repeat(17_000)}` })).toBe(414);
});

test("sends no request to an address from the path, the query or the Host header", async () => {
  const listener = await servers.keep(startHttpDouble("/", {}, {}));
  const outside = new URL(listener.url).host;
  for (const host of [outside, `user@${outside}`, `${outside}/x?`]) {
    for (const target of ["/get-likes", "/preview/x", "/start-over", "/terms", "/", `http://${outside}/`]) {
      for (const name of ["host", "x-forwarded-host"]) {
        await expectNoAccess({ target, headers: [[name, host]] });
      }
    }
  }
  const inQuery = encodeURIComponent(`http://${outside}/p/abc/`);
  await expectNoAccess({ target: `/_next/image?url=${inQuery}&w=640&q=75` });
  await expectNoAccess({ target: `/api/instagram/post-details?url=${inQuery}` });
  expect(listener.requests).toEqual([]);
});

// lib/server/cookies/flow-cookie.test.ts tests random, changed, old and foreign cookies.
test("ignores invalid flow cookies, and orders nothing", async () => {
  const sealed = await sealedFlow();
  const foreign = await sealFlow(newFlow(), "another-secret-0123456789-0123456789");
  const shapes = [null, [], { ...newFlow(), post: "a" }, {}];
  for (const cookie of [
    sealed.replace(/~2$/, "~1"),
    // Sealed with another secret, but with the id of the right one.
    foreign.split("*").with(1, sealed.split("*")[1]!).join("*"),
    ...(await Promise.all(shapes.map((content) => sealFlow(content)))),
    "x".repeat(15_000),
    Array.from({ length: 1_500 }, (_, n) => `a; b${n}=`).join(""),
  ]) {
    const visitor = visitorWith(cookie);
    const like = await visitor.like();
    const { status, html } = await visitor.visit("/get-likes");
    const shown = guardedTitles.filter((title) => html.includes(title));
    const actual = { like: like.status, code: like.body.code, page: status, shown };
    const expected = { like: 403, code: "flow_required", page: 200, shown: [] };
    expect(actual, cookie.slice(0, 200)).toEqual(expected);
  }
  expect(await countOrders()).toBe(0);
});

test("accepts only cookie names with the prefix __Host- on an HTTPS site", async () => {
  for (const [prefix, accepted] of [
    ["", false],
    ["__host-", false],
    ["__Host-", true],
  ] as const) {
    const visitor = visitorWith(await sealedFlow(), { url: servers.httpsApp.url, prefix });
    const { html } = await visitor.visit("/get-likes");
    const { status } = await visitor.like();
    const opened = html.includes(guarded["/get-likes"] ?? "");
    expect({ prefix, opened, status }).toEqual({ prefix, opened: accepted, status: accepted ? 200 : 403 });
  }
});

test.describe("one captcha check", () => {
  test("allows one order when 20 visitors send the same cookie at the same time", async () => {
    const cookie = await sealedFlow();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => visitorWith(cookie).like(post.postId, `key-${n}`)),
    );
    const accepted = responses.filter(({ status }) => status === 200);
    expect(new Set(accepted.map(referenceOf)).size).toBe(1);
    expect(responses.filter(({ status }) => ![200, 403, 409].includes(status))).toEqual([]);
    expect(await countOrders()).toBe(1);
  });

  test("allows no second order after the cooldown, with the old cookie or a new seal", async () => {
    const flow = newFlow();
    const visitor = visitorWith(await sealFlow(flow));
    expect((await visitor.like()).status).toBe(200);
    for (const key of await servers.store.keys("{likes}:v2:visitor:*")) await servers.store.del(key);
    for (const cookie of [await sealFlow(flow), await sealFlow({ ...flow, receipt: null })]) {
      visitor.cookies.clear();
      visitor.cookies.set(`flow-${flow.startedAt}`, cookie);
      expect(await visitor.like()).toMatchObject({ status: 403, body: { code: "flow_required" } });
    }
    expect(await countOrders()).toBe(1);
  });
});

test("does not reveal an order to another visitor with the same Idempotency-Key", async () => {
  const [first, second] = [visitorWith(await sealedFlow()), visitorWith(await sealedFlow())];
  const responses = [await first.like(post.postId, "key"), await second.like(post.postId, "key")];
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(responses.map(referenceOf)).size).toBe(2);
  expect(await countOrders()).toBe(2);
});

test("ignores an unknown or malformed rate-limit cookie", async () => {
  const values = ["A".repeat(22), "*", "c:x", "x".repeat(4_000), "..", "%00", "__proto__", "}:v2:order:x"];
  for (const value of values) {
    const visitor = visitorWith(await sealedFlow());
    visitor.cookies.set("rate-limit", value);
    expect((await visitor.get("/api/instagram/status")).body).toMatchObject({ canRequest: true });
    expect((await visitor.like()).status).toBe(200);
  }
  expect(await countOrders()).toBe(values.length);
});
