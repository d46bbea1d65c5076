import { expect, test, useServers } from "@/testing/test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { goodInput } from "@/testing/good-input";
import { postLink } from "@/testing/sample-posts";
import { Visitor, visitorAtStep3 } from "@/testing/visitor";

/* The contract of the HTTP routes. attacks-api.test.ts contains further requests that the API refuses. */

const healthToken = "health-token-of-the-tests";
const servers = useServers({ env: { TEST_RATE_LIMIT_SCALE: undefined, HEALTH_TOKEN: healthToken } });

const newVisitor = () => new Visitor(servers.app.url);

for (const [method, path] of [
  ["GET", "/api/recaptcha/verify"],
  ["GET", "/api/instagram/like"],
  ["POST", "/api/instagram/status"],
  ["DELETE", "/api/404"],
] as const)
  test(`refuses ${method} to ${path} with 405`, async () => {
    expect((await newVisitor().fetch(path, { method })).status).toBe(405);
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
      accepted += (await Promise.all(group)).filter(({ status }) => status === 200).length;
    }
    expect(accepted).toBeGreaterThanOrEqual(requests);
    // A new minute with a new count may begin during the test.
    expect(accepted).toBeLessThanOrEqual(2 * 1.5 * requests);
    const sameSite = new Visitor(servers.app.url, { address: "2001:db8:7:200::1" });
    expect((await send(sameSite)).status).toBe(200);
  });

test("limits all requests of an address, whatever their response, and logs equal refusals once", async () => {
  const visitor = newVisitor();
  const kinds: (readonly [method: string, path: string, body?: string])[] = [
    ...["/", "/success", "/no-such-page", "/site/no-such-file", "/_next/no-such-file"].map(
      (path) => ["GET", path] as const,
    ),
    ...["/api/health", "/api/no-such-route", "/api/share", "/api/instagram/receipt"].map(
      (path) => ["GET", path] as const,
    ),
    ["GET", "/api/metrics"],
    ["GET", "/api/instagram/post-details?url=x&id=x"],
    ["DELETE", "/api/404"],
    ["POST", "/api/share", "x"],
    ["POST", "/api/404", "{}"],
    ["POST", "/api/instagram/like", "not JSON"],
    ["POST", "/api/contact/submit", "{}"],
  ];
  const linesBefore = servers.app.output().split("\n").length;
  const send = () =>
    Promise.all(
      kinds.map(async ([method, path, body]) => {
        const headers = { "content-type": "application/json" };
        const { status } = await visitor.fetch(path, { method, body, headers });
        return status;
      }),
    );
  const statuses = [];
  // A new window of 20 s with a new count may begin during the test.
  for (let n = 0; n < 60 && statuses.at(-1)?.some((status) => status !== 429) !== false; n += 1)
    statuses.push(await send());
  expect(statuses[0]).not.toContain(429);
  expect(new Set(statuses.at(-1))).toEqual(new Set([429]));
  const lines = servers.app.output().split("\n").slice(linesBefore);
  const refusals = lines.filter((line) => /"status":4|too many requests/.test(line));
  // Every kind once. A new minute may begin during the test.
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals.length).toBeLessThan(2 * kinds.length);
});

test.describe("the share route", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const share = (body: BodyInit | null, headers: Record<string, string> = form) =>
    newVisitor().fetch("/api/share", { method: "POST", headers, body });

  test("redirects home, with the link in a cookie that scripts of the site can read", async () => {
    const response = await share(new URLSearchParams({ title: "A post", text: `Look: ${postLink}` }));
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const [cookie, ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair, ...attributes] = (cookie ?? "").split("; ");
    expect(pair).toBe("shared-text=https%3A%2F%2Fwww.instagram.com%2Fp%2FCxyz123abc_%2F");
    expect(attributes).toEqual(expect.arrayContaining(["Path=/", "Max-Age=60", "SameSite=Strict"]));
    expect(attributes).not.toContain("HttpOnly");
  });

  for (const [title, body, headers] of [
    ["nothing", null, form],
    ["a body of 100 kB", `text=${"x".repeat(100_000)}`, form],
    ["another content type", `{"text":"${postLink}"}`, { "content-type": "application/json" }],
  ] as const)
    test(`redirects home with an empty text for ${title}`, async () => {
      const response = await share(body, headers);
      expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
      expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^shared-text=; /)]);
    });

  test("shortens a long text to the size of a cookie", async () => {
    for (const letters of ["日", "a👍"]) {
      const response = await share(new URLSearchParams({ text: letters.repeat(1_000) }));
      const [cookie = ""] = response.headers.getSetCookie();
      expect(cookie.length).toBeLessThan(4_096);
      expect(decodeURIComponent(cookie)).toMatch(new RegExp(`^shared-text=(?:${letters}){100,}a?;`));
    }
  });

  test("sets no cookie for a request that opens no page", async () => {
    const response = await share("text=x", { ...form, "sec-fetch-dest": "image" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("redirects a GET request home without a cookie", async () => {
    const response = await newVisitor().fetch("/api/share");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
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

  for (const [path, body] of [
    ["/api/recaptcha/verify", {}],
    ["/api/contact/submit", goodInput.contact],
  ] as const)
    test(`accept an honest check at ${path} although a neighbour sends wrong tokens, and limit both`, async () => {
      const { verify, rejectedVerify } = rateLimitPolicies;
      const visitor = newVisitor();
      const send = async (token: string) => {
        const response = await visitor.post(path, { ...body, token });
        return response.body.code ?? response.status;
      };
      // A new minute with a new count may begin during the test.
      const rejected = [];
      for (let n = 0; n < 2 * rejectedVerify.requests + 1; n += 1) rejected.push(await send("wrong"));
      expect(new Set(rejected)).toEqual(new Set(["captcha_rejected", "rate_limited"]));
      expect(await send(await visitor.solveCaptcha())).toBe(200);
      if (path !== "/api/recaptcha/verify") return;
      const tokens = await Promise.all(Array.from({ length: verify.requests }, () => visitor.solveCaptcha()));
      const accepted = [];
      for (const token of tokens) accepted.push(await send(token));
      expect(accepted).toEqual([...tokens.slice(1).map(() => 200), "rate_limited"]);
    });

  test("start no flow without a link", async () => {
    const visitor = newVisitor();
    const verified = await visitor.post("/api/recaptcha/verify", { token: await visitor.solveCaptcha() });
    expect(verified.body).toEqual({ success: true });
    expect([...visitor.cookies.keys()]).toEqual([]);
  });
});

test("post-details uses the post and the type of the flow", async () => {
  const visitor = newVisitor();
  await visitor.verify("https://www.instagram.com/reel/Own1/");
  for (const query of ["", "?id=Own1"]) {
    const { body } = await visitor.get(`/api/instagram/post-details${query}`);
    expect(body).toMatchObject({ success: true, postId: "Own1", type: "reel" });
  }
});

test.describe("the flow", () => {
  const isNotice = async (visitor: Visitor, path: string) =>
    (await visitor.visit(path)).html.includes("You Need to Start from the Beginning");

  test("opens the pages in order, and stores the sequence in cookies", async () => {
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
    for (let visit = 0; visit < 2; visit += 1) {
      expect((await visitor.visit("/success/")).html).toContain("Likes Delivered Successfully!");
    }
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
  const response = await newVisitor().fetch("/api/health?deep=1", {
    headers: { authorization: `Bearer ${healthToken}` },
  });
  expect(await response.json()).toMatchObject({
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

test("lets shared caches store the daily usage, which contains no cookie", async () => {
  const { headers, body } = await newVisitor().get("/api/instagram/daily-usage");
  expect(headers.get("cache-control")).toMatch(/^public, max-age=0, s-maxage=\d+$/);
  expect(headers.getSetCookie()).toEqual([]);
  expect(body).toMatchObject({ success: true, dailyLimit: { totalLimit: 100_000, reached: false } });
});

const secret = "a".repeat(40);
const wrongBuild = { SITE_NAME: "<", POST_LOOKUP: "scrape", LIKE_DELIVERY: "webhok", DEPLOYMENT: "maybe" };

for (const { title, command, env, named } of [
  {
    title: "the server",
    command: ["scripts/start.mjs", "start"],
    env: { LIKE_DELIVERY: "webhook" },
    named: [
      ...["SESSION_SECRET", "VISITOR_HASH_SECRET", "REDIS_URL"],
      ...["LIKE_WEBHOOK_URL", "LIKE_DELIVERY_ACKNOWLEDGED"],
    ],
  },
  {
    title: "a start without the HTTP guard",
    command: ["node_modules/next/dist/bin/next", "start", "-p", "0"],
    env: { SESSION_SECRET: secret, VISITOR_HASH_SECRET: secret, REDIS_URL: "redis://localhost:1" },
    named: ["npm start"],
  },
  {
    title: "a build",
    command: ["node_modules/next/dist/bin/next", "build"],
    env: wrongBuild,
    named: Object.keys(wrongBuild),
  },
])
  test(`stops ${title} with a wrong configuration, and names everything that is wrong`, async () => {
    const child = spawn(process.execPath, command, {
      env: { PATH: process.env.PATH, NODE_ENV: "production", __NEXT_PROCESSED_ENV: "true", ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [status] = (await once(child, "exit")) as [number];
    expect(status).toBe(1);
    for (const name of named) expect(output).toContain(name);
  });
