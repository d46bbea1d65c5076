import { expect, test, useServers } from "../support/test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rateLimitPolicies } from "@/lib/server/http/rate-limits";
import { linkOf, postLink } from "../support/sample-posts";
import { Visitor, type ApiAnswer } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";

const servers = useServers({
  env: { BURST_LIMIT_SCALE: undefined, HEALTH_TOKEN: "health-token-of-the-tests" },
});

const newVisitor = () => new Visitor(servers.app.url);

test.describe("request checks", () => {
  const json = { "content-type": "application/json" };
  for (const [title, body, headers, status, code] of [
    ["a body that is no JSON", "{", json, 400, "invalid_json"],
    ["an empty body", "", json, 400, "invalid_json"],
    [
      "another content type",
      "token=x",
      { "content-type": "application/x-www-form-urlencoded" },
      415,
      "unsupported_media_type",
    ],
    ["text that claims nothing", "{}", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
    ["a huge body", JSON.stringify({ token: "x".repeat(20_000) }), json, 413, "body_too_large"],
    ["a missing token", "{}", json, 422, "invalid_request"],
    ["a token of another type", `{"token":{"a":1}}`, json, 422, "invalid_request"],
    ["null", "null", json, 422, "invalid_request"],
    ["a malformed link", `{"token":"x","url":"https://example.com/"}`, json, 422, "invalid_request"],
    ["a foreign token", `{"token":"bm90IGEgdG9rZW4="}`, json, 403, "captcha_rejected"],
    ["another site's page", `{"token":"x"}`, { ...json, "sec-fetch-site": "cross-site" }, 403, "cross_site"],
    ["another origin", `{"token":"x"}`, { ...json, origin: "https://evil.example" }, 403, "cross_site"],
    ["an opaque origin", `{"token":"x"}`, { ...json, origin: "null" }, 403, "cross_site"],
  ] as const)
    test(`refuses ${title}`, async () => {
      const response = await newVisitor().fetch("/api/recaptcha/verify", { method: "POST", headers, body });
      expect(response.status).toBe(status);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toMatchObject({
        success: false,
        code,
        message: expect.stringMatching(/\w/),
      });
    });

  test("names the fields of a body that fails its schema", async () => {
    const { body } = await newVisitor().post("/api/recaptcha/verify", { token: "x", url: "hello" });
    expect(body).toMatchObject({ message: "Must be a valid URL", fields: { url: "Must be a valid URL" } });
  });

  test("accepts the site's own origin", async () => {
    const { status } = await newVisitor().post(
      "/api/recaptcha/verify",
      { token: "x" },
      { origin: servers.app.url },
    );
    expect(status).toBe(403);
  });

  for (const [method, path] of [
    ["GET", "/api/recaptcha/verify"],
    ["GET", "/api/instagram/like"],
    ["POST", "/api/instagram/status"],
    ["DELETE", "/api/404"],
  ] as const)
    test(`answers 405 to ${method} ${path}`, async () => {
      expect((await newVisitor().fetch(path, { method })).status).toBe(405);
    });

  test("limits a burst from one address, and says how long to wait", async () => {
    const visitor = newVisitor();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => visitor.post("/api/recaptcha/verify", { token: "x" })),
    );
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(5);
    expect(limited[0]?.body.code).toBe("rate_limited");
    expect(Number(limited[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

test.describe("a flood from one address", () => {
  for (const [path, policy] of [
    ["/api/instagram/status", "status"],
    ["/api/instagram/daily-usage", "dailyUsage"],
    ["/api/recaptcha/sitekey", "siteKey"],
    ["/api/recaptcha/challenge", "challenge"],
  ] as const)
    test(`of ${path} is refused, and whoever asks politely costs no count`, async () => {
      const { free, requests } = rateLimitPolicies[policy];
      const flooding = newVisitor();
      /** What is not answered with 200; not too many at once, for which the server would have no time. */
      const ask = async (count: number) => {
        const refused: ApiAnswer[] = [];
        for (let sent = 0; sent < count; sent += 20) {
          const answers = await Promise.all(Array.from({ length: 20 }, () => flooding.get(path)));
          refused.push(...answers.filter(({ status }) => status !== 200));
          if (refused.length >= 20) break;
        }
        return refused;
      };
      expect(await ask(free)).toEqual([]);
      expect(await servers.store.keys(`burst:${policy}:*`)).toEqual([]);
      // A new minute may begin meanwhile, with a count of its own.
      const refused = await ask(2 * (free + requests));
      expect(refused.length).toBeGreaterThanOrEqual(20);
      expect(refused[0]).toMatchObject({ status: 429, body: { code: "rate_limited" } });
      expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await newVisitor().get(path)).status).toBe(200);
    });
});

test.describe("what the device's share menu sends", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const share = (body: BodyInit | null, headers: Record<string, string> = form) =>
    newVisitor().fetch("/api/share", { method: "POST", headers, body });

  test("goes home, in a cookie that the link field reads, and stands in no address", async () => {
    const response = await share(new URLSearchParams({ title: "A post", text: `Look: ${postLink}` }));
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^shared-text=Look%3A%20https%3A%2F%2Fwww\.instagram\.com%2Fp%2FCxyz123abc_%2F; /,
      ),
    ]);
    const attributes = response.headers.getSetCookie()[0]?.split("; ").slice(1) ?? [];
    // Open to the page's script, closed to other sites, and gone in a minute.
    expect(attributes).toEqual(expect.arrayContaining(["Path=/", "Max-Age=60", "SameSite=Strict"]));
    expect(attributes).not.toContain("HttpOnly");
  });

  for (const [title, body, headers] of [
    ["nothing", null, form],
    ["other fields", "name=x", form],
    ["a body of 20 kB", `text=${"x".repeat(20_000)}`, form],
    ["another content type", `{"text":"${postLink}"}`, { "content-type": "application/json" }],
    ["no content type", Buffer.from(postLink), {}],
  ] as const)
    test(`leads home with an empty text for ${title}`, async () => {
      const response = await share(body, headers);
      expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
      expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^shared-text=; /)]);
    });

  for (const [title, letters] of [
    ["ASCII", "x"],
    ["three bytes a letter", "日"],
    ["pairs of code units", "a👍"],
  ] as const)
    test(`keeps to what a cookie holds: ${title}`, async () => {
      const response = await share(new URLSearchParams({ text: letters.repeat(1_000) }));
      const [cookie = ""] = response.headers.getSetCookie();
      expect(cookie.length).toBeLessThan(4_096);
      const text = decodeURIComponent(/^shared-text=([^;]*)/.exec(cookie)?.[1] ?? "");
      expect(text.length).toBeGreaterThan(300);
      expect(letters.repeat(1_000).startsWith(text)).toBe(true);
    });

  test("opened by hand leads home", async () => {
    const response = await newVisitor().fetch("/api/share");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

test.describe("captcha", () => {
  test("has a site key and a challenge that no cache keeps", async () => {
    const visitor = newVisitor();
    const sitekey = await visitor.get("/api/recaptcha/sitekey");
    expect(sitekey.body).toEqual({ sitekey: expect.stringMatching(/^altcha-\w+/), provider: "altcha" });
    const challenge = await visitor.get("/api/recaptcha/challenge");
    expect(challenge.headers.get("cache-control")).toBe("no-store");
    expect(challenge.body).toMatchObject({ parameters: { algorithm: "PBKDF2/SHA-256" } });
  });

  test("accepts a solved challenge once, even when it is sent twice at once", async () => {
    const visitor = newVisitor();
    const token = await visitor.solveCaptcha();
    const answers = await Promise.all([1, 2, 3].map(() => visitor.post("/api/recaptcha/verify", { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect((await visitor.post("/api/recaptcha/verify", { token })).status).toBe(403);
  });

  test("refuses a token whose challenge was changed", async () => {
    const visitor = newVisitor();
    const token = JSON.parse(Buffer.from(await visitor.solveCaptcha(), "base64").toString()) as {
      challenge: { parameters: { expiresAt: number; cost: number } };
    };
    for (const change of [{ expiresAt: 4_000_000_000 }, { cost: 1 }]) {
      const forged = {
        ...token,
        challenge: { ...token.challenge, parameters: { ...token.challenge.parameters, ...change } },
      };
      const answer = await visitor.post("/api/recaptcha/verify", {
        token: Buffer.from(JSON.stringify(forged)).toString("base64"),
      });
      expect(answer).toMatchObject({ status: 403, body: { code: "captcha_rejected" } });
    }
  });

  test("starts no flow without a link", async () => {
    const visitor = newVisitor();
    const verified = await visitor.post("/api/recaptcha/verify", { token: await visitor.solveCaptcha() });
    expect(verified.body).toEqual({ success: true });
    expect(visitor.cookies.has("flow")).toBe(false);
  });
});

test.describe("post-details", () => {
  for (const [query, status] of [
    ["", 403],
    ["?url=", 422],
    ["?id=..%2Fetc", 422],
    [`?id=Abc&url=${encodeURIComponent(postLink)}`, 422],
    ["?url=https%3A%2F%2Fexample.com%2F", 422],
    ["?id=Cxyz123abc_", 403],
    [`?url=${encodeURIComponent(postLink)}`, 403],
  ] as const)
    test(`answers ${query} with ${status} without a flow`, async () => {
      expect((await newVisitor().get(`/api/instagram/post-details${query}`)).status).toBe(status);
    });

  test("is about the flow's own post when it is asked about none", async () => {
    const visitor = newVisitor();
    const url = "https://www.instagram.com/reel/Own1/";
    await visitor.post("/api/recaptcha/verify", { token: await visitor.solveCaptcha(), url });
    const first = await visitor.get("/api/instagram/post-details");
    expect(first.body).toMatchObject({ success: true, postId: "Own1", type: "reel" });
    // The post is marked: step 3 opens.
    await visitor.visit("/verification/");
    expect((await visitor.visit("/get-likes/")).html).toContain("<title>Get 50 Free Instagram Likes");
  });

  test("has the sandbox's answers", async () => {
    const detailsOf = async (postId: string) =>
      (await newVisitorInFlow(servers.app.url, { postId, type: "post" })).details(linkOf(postId));
    expect((await detailsOf("Public1")).body).toMatchObject({
      success: true,
      postId: "Public1",
      type: "post",
      imageUrl: expect.any(String),
      note: false,
    });
    expect((await detailsOf("NOIMAGE1")).body).toMatchObject({
      success: true,
      imageUrl: null,
      note: true,
    });
    expect(await detailsOf("PRIVATE1")).toMatchObject({
      status: 200,
      body: { success: false, code: "post_private" },
    });
    expect(await detailsOf("MISSING1")).toMatchObject({
      status: 200,
      body: { success: false, code: "post_missing" },
    });
    expect(await detailsOf("ERROR1")).toMatchObject({
      status: 503,
      body: { code: "lookup_unavailable" },
    });
  });

  test("tells a reel by the flow when asked by id", async () => {
    const visitor = newVisitor();
    const url = "https://www.instagram.com/reel/Reel123/";
    await visitor.verify(url);
    expect((await visitor.get("/api/instagram/post-details?id=Reel123")).body.type).toBe("reel");
    expect(await visitor.get("/api/instagram/post-details?id=Other")).toMatchObject({ status: 403 });
  });
});

test.describe("the flow", () => {
  const notice = "You Need to Start from the Beginning";
  /** Opens a page; `notice` says whether it is the start-over notice. */
  const page = async (visitor: Visitor, path: string) => {
    const { status, headers, html } = await visitor.visit(path);
    return { status, headers, html, notice: html.includes(notice) };
  };

  for (const path of [
    "/verification",
    "/verification/",
    "/get-likes",
    "/get-likes/",
    "/success",
    "/success/",
    "/private-account-error/",
  ])
    test(`shows the notice at ${path} without a flow, and tells search engines to stay out`, async () => {
      const { status, headers, html } = await page(newVisitor(), path);
      expect(status).toBe(200);
      expect(html).toContain(notice);
      expect(html).toMatch(/<meta name="robots" content="noindex/);
      expect(headers.get("cache-control")).toMatch(/no-store/);
    });

  for (const path of ["/preview/Cxyz123abc_", "/preview/Cxyz123abc_/?from=url-entry", "/preview/shell"])
    test(`sends ${path} home without a flow`, async () => {
      const { status, headers } = await page(newVisitor(), path);
      expect(status).toBe(307);
      expect(new URL(headers.get("location") ?? "", servers.app.url).pathname).toBe("/");
    });

  test("does not serve the notice under its own address", async () => {
    expect((await page(newVisitor(), "/start-over")).status).toBe(404);
    expect((await page(newVisitor(), "/start-over/")).status).toBe(404);
  });

  test("opens the pages in order, and keeps the sequence in the cookie", async () => {
    const visitor = newVisitor();
    await visitor.verify();
    expect((await page(visitor, "/get-likes/")).notice).toBe(true);
    expect((await page(visitor, "/verification/")).notice).toBe(false);
    expect((await page(visitor, "/get-likes/")).notice).toBe(true);
    await visitor.details(linkOf("Cxyz123abc_"));
    expect((await page(visitor, "/get-likes/")).notice).toBe(false);
    expect((await page(visitor, "/preview/Cxyz123abc_?from=url-entry")).status).toBe(200);
    expect((await page(visitor, "/preview/Cxyz123abc_")).status).toBe(307);
    expect((await page(visitor, "/preview/Other?from=url-entry")).status).toBe(307);
    expect((await page(visitor, "/success/")).notice).toBe(true);
    await visitor.like();
    for (const visit of ["first", "reload"]) {
      expect({
        visit,
        shows: (await page(visitor, "/success/")).html.includes("Likes Delivered Successfully!"),
      }).toEqual({
        visit,
        shows: true,
      });
    }
  });

  test("ends at the home page, but not for a prefetch or prerender of it", async () => {
    const visitor = newVisitor();
    await visitor.startFlow();
    await visitor.visit("/", { "sec-purpose": "prefetch;prerender" });
    expect(visitor.cookies.has("flow")).toBe(true);
    await visitor.visit("/", { "sec-fetch-mode": "no-cors" });
    expect(visitor.cookies.has("flow")).toBe(true);
    await visitor.visit("/");
    expect(visitor.cookies.has("flow")).toBe(false);
  });

  test("gives the home page to browsers and to no shared cache, which would hand it to those with a flow", async () => {
    const response = await newVisitor().fetch("/");
    expect(response.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("is proven by the handler itself: no cookie, a broken one, and one of another secret are no flow", async () => {
    for (const cookie of [undefined, "broken", `Fe26.2*1*${"a".repeat(64)}*b*c**d*e~2`, "x".repeat(3_000)]) {
      const visitor = newVisitor();
      if (cookie) visitor.cookies.set("flow", cookie);
      expect(await visitor.like()).toMatchObject({ status: 403, body: { code: "flow_required" } });
      expect((await page(visitor, "/get-likes/")).notice).toBe(true);
    }
  });

  test("asks for the verified post, not only for the captcha", async () => {
    const visitor = newVisitor();
    await visitor.verify();
    expect(await visitor.like()).toMatchObject({ status: 403, body: { code: "flow_required" } });
  });
});

test.describe("health", () => {
  test("says it is alive without any data, and more only to the holder of the token", async () => {
    expect((await newVisitor().get("/api/health")).body).toEqual({ status: "ok" });
    expect((await newVisitor().get("/api/health?deep=1")).status).toBe(401);
    const response = await newVisitor().fetch("/api/health?deep=1", {
      headers: { authorization: "Bearer health-token-of-the-tests" },
    });
    expect(await response.json()).toEqual({
      status: "ok",
      redis: {
        latencyMs: expect.any(Number),
        role: "primary",
        replicas: 0,
        replicationLagSeconds: null,
        appendOnlyFile: false,
        saved: true,
      },
      orders: { open: 0, oldestAgeSeconds: null },
      budget: { likesUsed: expect.any(Number), likesLeft: expect.any(Number), totalLimit: 100_000 },
      inbox: { unmailed: 0 },
      you: { address: expect.stringMatching(/^198\.18\./) },
    });
  });

  for (const path of ["/api/cron/reconcile", "/api/metrics"])
    test(`has no ${path} without its token`, async () => {
      expect((await newVisitor().get(path)).status).toBe(404);
    });
});

test.describe("daily-usage", () => {
  test("may be shared by caches and carries no cookie", async () => {
    const { headers, body } = await newVisitor().get("/api/instagram/daily-usage");
    expect(headers.get("cache-control")).toMatch(/^public, max-age=0, s-maxage=\d+$/);
    expect(headers.getSetCookie()).toEqual([]);
    expect(body).toMatchObject({ success: true, dailyLimit: { totalLimit: 100_000, reached: false } });
  });
});

test("works with and without a trailing slash, and never redirects for it", async () => {
  for (const path of ["/", "/verification", "/get-likes", "/success", "/private-account-error"]) {
    for (const form of [path, `${path.replace(/\/$/, "")}/`]) {
      expect({ form, status: (await newVisitor().fetch(form)).status }).toEqual({ form, status: 200 });
    }
  }
  for (const form of ["/nowhere", "/nowhere/", "/boost/check", "/boost/check/"]) {
    expect({ form, status: (await newVisitor().fetch(form)).status }).toEqual({ form, status: 404 });
  }
});

const wrongStart = {
  set: { LIKE_DELIVERY: "webhook" },
  named: [
    "SESSION_SECRET",
    "VISITOR_HASH_SECRET",
    "REDIS_URL",
    "LIKE_WEBHOOK_URL",
    "LIKE_DELIVERY_ACKNOWLEDGED",
  ],
};
const secret = "a".repeat(40);
const otherServer = {
  set: { SESSION_SECRET: secret, VISITOR_HASH_SECRET: secret, REDIS_URL: "redis://localhost:1" },
  named: ["npm start"],
};
const wrongBuild = { SITE_NAME: "<", POST_LOOKUP: "scrape", LIKE_DELIVERY: "webhok", DEPLOYMENT: "maybe" };

for (const [title, command, { set, named }] of [
  ["start-up", ["scripts/http-server.mjs", "start"], wrongStart],
  ["next start", ["node_modules/next/dist/bin/next", "start", "-p", "0"], otherServer],
  [
    "a build",
    ["node_modules/next/dist/bin/next", "build"],
    { set: wrongBuild, named: Object.keys(wrongBuild) },
  ],
] as const)
  test(`a wrong configuration stops ${title} with everything that is wrong`, async () => {
    const child = spawn(process.execPath, command, {
      env: { PATH: process.env.PATH, NODE_ENV: "production", __NEXT_PROCESSED_ENV: "true", ...set },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [status] = (await once(child, "exit")) as [number];
    expect(status).toBe(1);
    for (const name of named) expect(output).toContain(name);
  });
