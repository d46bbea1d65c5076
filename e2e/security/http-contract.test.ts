import { expect, test, useServers } from "@/testing/test";
import { spawnSync } from "node:child_process";
import { rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { postLink } from "@/testing/sample-posts";
import { healthToken, Visitor, visitorAtStep3 } from "@/testing/visitor";

/* The contract of the HTTP routes. attacks-api.test.ts contains further requests that the API refuses. */

const servers = useServers({ env: { TEST_RATE_LIMIT_SCALE: undefined, HEALTH_TOKEN: healthToken } });

const newVisitor = () => new Visitor(servers.app.url);

for (const [method, path] of [
  ["GET", "/api/recaptcha/verify"],
  ["POST", "/api/instagram/status"],
  ["DELETE", "/api/404"],
])
  test(`refuses ${method} to ${path} with 405`, async () => {
    expect((await newVisitor().fetch(path!, { method })).status).toBe(405);
  });

for (const { policy, send } of [
  { policy: "challenge", send: (visitor: Visitor) => visitor.get("/api/recaptcha/challenge") },
  { policy: "notFoundReport", send: (visitor: Visitor) => visitor.post("/api/404", { path: "/lost" }) },
] as const)
  test(`limits ${policy} per network, and leaves other networks their share`, async () => {
    const { requests } = rateLimitPolicies[policy];
    // Each from another /64 of a /56. In small groups, because a busy machine responds late to more.
    let accepted = 0;
    for (let sent = 0; sent < 160; sent += 10) {
      const group = Array.from({ length: 10 }, (_, n) =>
        send(new Visitor(servers.app.url, { address: `2001:db8:7:${(256 + sent + n).toString(16)}::1` })),
      );
      accepted += (await Promise.all(group)).filter(({ status }) => status !== 429).length;
    }
    expect(accepted).toBeGreaterThanOrEqual(requests);
    // A new minute with a new count may begin during the test.
    expect(accepted).toBeLessThanOrEqual(2 * 1.5 * requests);
    const sameSite = new Visitor(servers.app.url, { address: "2001:db8:7:200::1" });
    expect((await send(sameSite)).status).not.toBe(429);
  });

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const empty = /^shared-text=; /;
const textOf = (text: string) => new URLSearchParams({ text });

// lib/flow/shared-text.test.ts tests which text the cookie gets.
for (const [title, body, headers, cookie] of [
  [
    "a text with a link, with the link in a cookie",
    textOf(`Look: ${postLink}`),
    form,
    /^shared-text=https%3A%2F%2Fwww.instagram.com%2Fp%2FCxyz123abc_%2F; /,
  ],
  ["a body of 100 kB, with an empty cookie", textOf("x".repeat(100_000)), form, empty],
  ["another content type, with an empty cookie", `{"text":"${postLink}"}`, json, empty],
  ["a text of emoji, with a part of it", textOf("a👍".repeat(1_000)), form, /(?:a%F0%9F%91%8D){100,}a?; /],
  ["an image that a page loads, without a cookie", textOf("x"), { ...form, "sec-fetch-dest": "image" }, null],
] as [string, BodyInit, Record<string, string>, RegExp | null][])
  test(`the share route redirects home after ${title}`, async () => {
    const response = await newVisitor().fetch("/api/share", { method: "POST", headers, body });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    const cookies = response.headers.getSetCookie();
    expect(cookies).toEqual(cookie ? [expect.stringMatching(cookie)] : []);
    if (!cookie) return;
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(cookies[0]!.length).toBeLessThan(4_096);
    // Scripts of the site read the cookie.
    const attributes = cookies[0]!.split("; ").slice(1);
    expect(attributes).toEqual(expect.arrayContaining(["Path=/", "Max-Age=60", "SameSite=Strict"]));
    expect(attributes).not.toContain("HttpOnly");
  });

test.describe("the captcha routes", () => {
  test("send a site key, and a challenge that no cache stores", async () => {
    const visitor = newVisitor();
    const siteKey = await visitor.get("/api/recaptcha/sitekey");
    expect(siteKey.body).toEqual({ sitekey: expect.stringMatching(/^altcha-\w+/), provider: "altcha" });
    const challenge = await visitor.get("/api/recaptcha/challenge");
    expect(challenge.headers.get("cache-control")).toBe("no-store");
    expect(challenge.body).toMatchObject({ parameters: { algorithm: "PBKDF2/SHA-256" } });
  });

  test("limit wrong tokens of an address, and still accept an honest check from there", async () => {
    const visitor = newVisitor();
    const send = async (token: string) => (await visitor.post("/api/recaptcha/verify", { token })).status;
    const wrong = new Set<number>();
    // A new minute with a new count may begin during the test.
    for (let n = 0; n <= 2 * rateLimitPolicies.rejectedVerify.requests; n += 1)
      wrong.add(await send("wrong"));
    expect([...wrong]).toEqual([403, 429]);
    expect(await send(await visitor.solveCaptcha())).toBe(200);
  });

  test("start no flow without a link", async () => {
    const visitor = newVisitor();
    const verified = await visitor.post("/api/recaptcha/verify", { token: await visitor.solveCaptcha() });
    expect(verified.body).toEqual({ success: true });
    expect([...visitor.cookies.keys()]).toEqual([]);
  });
});

test.describe("the flow", () => {
  const isNotice = async (visitor: Visitor, path: string) =>
    (await visitor.visit(path)).html.includes("You Need to Start from the Beginning");

  test("opens the pages in order, stores the sequence in cookies that survive the browser, and lets no cache store it", async () => {
    const visitor = newVisitor();
    const notice = await visitor.visit("/verification/");
    expect(notice.headers.get("cache-control")).toMatch(/no-store/);
    await visitor.verify();
    expect(await visitor.like()).toMatchObject({ status: 403, body: { code: "flow_required" } });
    expect(await isNotice(visitor, "/get-likes/")).toBe(true);
    expect(await isNotice(visitor, "/verification/")).toBe(false);
    expect(await isNotice(visitor, "/get-likes/")).toBe(true);
    await visitor.details();
    expect(await isNotice(visitor, "/get-likes/")).toBe(false);
    expect((await visitor.visit("/preview/Cxyz123abc_?from=url-entry")).status).toBe(200);
    expect((await visitor.visit("/preview/Cxyz123abc_")).status).toBe(307);
    expect((await visitor.visit("/preview/Other?from=url-entry")).status).toBe(307);
    expect(await isNotice(visitor, "/success/")).toBe(true);
    await visitor.like();
    for (let n = 0; n < 2; n += 1) {
      const { headers, html } = await visitor.visit("/success/");
      expect(html).toContain("Likes Delivered Successfully!");
      expect(headers.get("cache-control")).toMatch(/no-store/);
    }
    const receipt = await visitor.get("/api/instagram/receipt");
    expect(receipt.headers.get("cache-control")).toBe("private, no-store");
    expect(visitor.received.length).toBeGreaterThan(6);
    // Scripts may read which flow a tab has, but no value.
    for (const line of visitor.received)
      expect(line).toMatch(
        /^(flow-\d+=1; Max-Age=3600|.*; Max-Age=(?:3600|14400);.*; HttpOnly).*; SameSite=lax/i,
      );
  });

  test("leads forward to the receipt, which is on the preview for a visitor who has not been at step 3", async () => {
    const locations: (string | null)[] = [];
    for (const path of ["/get-likes/", "/preview/Cxyz123abc_?from=url-entry"]) {
      const visitor = newVisitor();
      await visitor.startFlow();
      for (const opened of ["/verification/", path]) expect((await visitor.visit(opened)).status).toBe(200);
      await visitor.like();
      locations.push((await visitor.visit("/verification/")).headers.get("location"));
    }
    expect(locations).toEqual(["/success/", "/preview/Cxyz123abc_?from=url-entry"]);
  });

  test("is changed only by pages that the visitor opens, from anywhere", async () => {
    const visitor = newVisitor();
    await visitor.startFlow();
    const changes = async (path: string, headers: Record<string, string>) =>
      (await visitor.visit(path, headers)).headers.getSetCookie().length > 0;
    const path = "/verification/";
    for (const headers of [
      { "sec-purpose": "prefetch;prerender", "sec-fetch-dest": "document" },
      // Pages of other sites and subdomains can make such requests without the visitor.
      ...["image", "empty", "iframe", "object"].map((dest) => ({ "sec-fetch-dest": dest })),
    ])
      expect({ headers, changes: await changes(path, headers) }).toMatchObject({ changes: false });
    expect(await changes(path, { "sec-fetch-dest": "document", "sec-fetch-site": "cross-site" })).toBe(true);
  });

  test("lets caches send the home page also to visitors with a flow", async () => {
    const response = await (await visitorAtStep3(servers.app.url)).fetch("/");
    // A serverless host removes what is for its own cache.
    expect(response.headers.get("cache-control")).toMatch(/^public, max-age=0(?:, s-maxage=60|$)/);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

test("reports health, and details only with the token", async () => {
  expect((await newVisitor().get("/api/health")).body).toEqual({ status: "ok" });
  expect((await newVisitor().get("/api/health?deep=1")).status).toBe(401);
  expect((await newVisitor().health()).body).toMatchObject({
    status: "ok",
    redis: { role: "primary", replicas: 0, saved: true },
    orders: { open: 0, oldestAgeSeconds: null },
    budget: { totalLimit: 100_000 },
    inbox: { unmailed: 0 },
    you: { address: expect.stringMatching(/^198\.18\./) },
  });
});

// playwright.config.ts excludes this test by its title.
test("has no /api/cron/reconcile without its token", async () => {
  expect((await newVisitor().get("/api/cron/reconcile")).status).toBe(404);
});

const secret = "a".repeat(40);
const wrongBuild = { SITE_NAME: "<", POST_LOOKUP: "scrape", LIKE_DELIVERY: "webhok", DEPLOYMENT: "maybe" };
const next = "node_modules/next/dist/bin/next";

for (const [title, command, env, named] of [
  [
    "a start without the HTTP guard",
    [next, "start", "-p", "0"],
    { SESSION_SECRET: secret, VISITOR_HASH_SECRET: secret, REDIS_URL: "redis://localhost:1" },
    ["npm start"],
  ],
  ["a build", [next, "build"], wrongBuild, Object.keys(wrongBuild)],
] as [string, string[], Record<string, string>, string[]][])
  test(`stops ${title} with a wrong configuration, and names everything that is wrong`, () => {
    const common = { PATH: process.env.PATH, NODE_ENV: "production" as const, __NEXT_PROCESSED_ENV: "true" };
    const { status, stderr } = spawnSync(process.execPath, command, { env: { ...common, ...env } });
    expect(status).toBe(1);
    for (const name of named) expect(stderr.toString()).toContain(name);
  });
