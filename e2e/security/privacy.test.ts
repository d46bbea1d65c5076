import { expect, test, useServers } from "@/testing/test";
import { createHmac } from "node:crypto";
import type { AppServer } from "@/testing/servers/app-server";
import { metaReplies, startLookupServer } from "@/testing/servers/lookup-servers";
import { startMailServer } from "@/testing/servers/mail-server";
import { startSiteverify } from "@/testing/servers/siteverify-server";
import { openConnection, requestText } from "@/testing/raw-http";
import { readRedis, type StoredKey } from "@/testing/redis-contents";
import { linkOf } from "@/testing/sample-posts";
import { until } from "@/testing/until";
import { Visitor, type VisitorOptions } from "@/testing/visitor";
import { parseLog } from "./log-lines";
import { findLongLives, keyKinds } from "./privacy-retention";
import * as traces from "./privacy-traces";
import { codes, email, fingerprint, ipv4, ipv6, person, secrets, userAgent } from "./privacy-traces";

/*
 * Visitors with known data make requests of all kinds. After each test, the data is searched for in Redis and in the
 * output of the servers, and the lives of all keys are compared with the privacy policy.
 */

const servers = useServers({ redisSettings: ["--appendonly", "yes"] }, async (servers) => {
  const mailServer = await servers.keep(startMailServer({ user: "mailer", password: secrets.smtp }));
  const meta = await servers.keep(startLookupServer());
  const service = await servers.keep(startLookupServer());
  const siteverify = await servers.keep(startSiteverify("recaptcha", secrets.captcha));
  const site = {
    VISITOR_HASH_SECRET: secrets.visitorHash,
    SMTP_URL: `smtp://mailer:${secrets.smtp}@127.0.0.1:${mailServer.port}`,
    NODE_EXTRA_CA_CERTS: mailServer.authority,
    MAIL_FROM: "site@example.com",
    SUPPORT_EMAIL: "operator@example.com",
    CRON_SECRET: secrets.cron,
  };
  const oembed = { POST_LOOKUP: "oembed", META_OEMBED_URL: meta.url, META_OEMBED_TOKEN: secrets.oembed };
  const http = {
    POST_LOOKUP: "http",
    POST_LOOKUP_URL: service.url,
    POST_LOOKUP_SECRET: secrets.lookup,
    POST_LOOKUP_IMAGE_HOSTS: "images.example.com",
    ...siteverify.env,
  };
  const apps = await Promise.all(
    [site, oembed, http].map((env, database) =>
      servers.start({ database, live: env === site, env: { HEALTH_TOKEN: secrets.health, ...env } }),
    ),
  );
  return { mailServer, meta, service, siteverify, apps, site: apps[0]!, oembed: apps[1]!, http: apps[2]! };
});

const visitors: MarkedVisitor[] = [];
const seenKeys = new Set<string>();

/** A visitor whose captcha tokens and cookies are searched for after the test. */
class MarkedVisitor extends Visitor {
  constructor(app: AppServer, options: VisitorOptions) {
    super(app.url, { userAgent, ...options });
    visitors.push(this);
  }
  override async solveCaptcha(): Promise<string> {
    const token = await super.solveCaptcha();
    const values = Buffer.from(token, "base64")
      .toString()
      .match(/[0-9a-f]{32,}/g);
    for (const part of [token, ...values!]) traces.tokens.add(part);
    return token;
  }
}

const withFingerprint = (app: AppServer) => new MarkedVisitor(app, { address: ipv4, fingerprint });
const withoutFingerprint = (app: AppServer) =>
  new MarkedVisitor(app, { address: ipv6, fingerprint: undefined });

const output = () => servers.apps.map((app) => app.output()).join("\n");
const flowCookies = () =>
  visitors.flatMap(({ cookies }) => [...cookies.values()].filter((value) => value.startsWith("Fe26")));
const keyFor = (code: string) => `${traces.idempotencyKey}-${code}`;

test.afterEach(async () => {
  const stored = await readAllKeys();
  for (const { key } of stored) seenKeys.add(key);
  expect(traces.findTraces(stored, output(), flowCookies())).toEqual([]);
  const policy = await (await fetch(`${servers.site.url}/privacy-policy`)).text();
  expect(findLongLives(stored, policy)).toEqual([]);
  // The output consists of log events and the start messages of Next.js.
  const expected =
    /^(?:$|▲ Next\.js|- (?:Local|Network):|✓ |\{"time":"[^"]+","level":"(?:info|warn|error)","event":"[^"]+".*\}$)/;
  const lines = output().split("\n");
  expect(lines.filter((line) => !expected.test(line.trim()))).toEqual([]);
});

async function readAllKeys(): Promise<StoredKey[]> {
  const databases = await Promise.all([0, 1, 2].map((number) => readRedis(`${servers.redis.url}/${number}`)));
  return databases.flat();
}

async function reconcile(): Promise<void> {
  const headers = { authorization: `Bearer ${secrets.cron}` };
  await fetch(`${servers.site.url}/api/cron/reconcile`, { headers });
}

/** Opens the pages of the flow, reads the status, and requests likes. */
async function visit(visitor: MarkedVisitor, code: string) {
  await visitor.startFlow(code);
  for (const path of ["/verification/", `/preview/${code}?from=url-entry`, "/get-likes/"]) {
    await visitor.visit(path);
  }
  await visitor.get("/api/instagram/status");
  return visitor.like(code, keyFor(code));
}

test("keeps no trace of an accepted and repeated request with fingerprint and IPv4", async () => {
  servers.receiver.respond("accept");
  const visitor = withFingerprint(servers.site);
  expect((await visit(visitor, codes.accepted)).status).toBe(200);
  expect((await visitor.like(codes.accepted, keyFor(codes.accepted))).status).toBe(200);
  await visitor.visit("/success/");
  expect((await visitor.like(codes.accepted)).body.code).toBe("cooldown");
  // The records belong to this visitor, so the search can find traces.
  const hash = createHmac("sha256", secrets.visitorHash).update(`address\n${ipv4}`).digest("base64url");
  expect(JSON.stringify(await readAllKeys())).toContain(hash);
});

test("keeps no trace of pending and refused requests without fingerprint over IPv6", async () => {
  servers.receiver.respond({ status: 500, body: { message: traces.serviceMarker } });
  const visitor = withoutFingerprint(servers.site);
  expect((await visit(visitor, codes.refused)).body.code).toBe("order_pending");
  const message = `Not this one: ${traces.serviceMarker}`;
  servers.receiver.respond({ status: 422, body: { message } });
  await reconcile();
  const again = await visitor.like(codes.refused, keyFor(codes.refused));
  expect(again.body).toMatchObject({ code: "delivery_refused", message });
  servers.receiver.respond("drop");
  expect((await visit(withoutFingerprint(servers.site), codes.open)).body.code).toBe("order_pending");
});

test("keeps no trace of oEmbed lookups that succeed, fail or reach Meta's limit", async () => {
  servers.meta.respond(metaReplies.found);
  expect((await visit(withFingerprint(servers.oembed), codes.shown)).status).toBe(200);
  const visitor = withoutFingerprint(servers.oembed);
  await visitor.verify(linkOf(codes.shown));
  for (const reply of [metaReplies.error(24), metaReplies.error(190), "cut" as const]) {
    servers.meta.respond(reply);
    await visitor.details(linkOf(codes.shown));
  }
  const refused = "lookup: Meta refuses the token or its permissions (HTTP 400, code 190)";
  const line = parseLog(servers.oembed).find(({ cause }) => cause === refused);
  expect(line).toMatchObject({ level: "error", route: "post-details" });
  servers.meta.respond({ ...metaReplies.error(4), headers: { "retry-after": "7200" } });
  await visitor.verify(linkOf(codes.shown));
  expect((await visitor.details(linkOf(codes.shown))).status).toBe(503);
});

test("keeps no trace of a lookup service's username, caption and image, or of reCAPTCHA tokens", async () => {
  const { lookedUp, serviceMarker } = traces;
  servers.service.respond({ status: 200, body: { status: "public", ...lookedUp } });
  const visitor = withFingerprint(servers.http);
  const verify = async (token: string) => {
    traces.tokens.add(token);
    return visitor.post("/api/recaptcha/verify", { token, url: linkOf(codes.shown) });
  };
  expect((await verify(servers.siteverify.issue())).status).toBe(200);
  expect((await visitor.details(linkOf(codes.shown))).body).toMatchObject(lookedUp);
  expect((await visitor.like(codes.shown, traces.idempotencyKey)).status).toBe(200);

  expect((await verify(servers.siteverify.issue({ hostname: "marked.example.com" }))).status).toBe(403);
  for (const body of [{ success: false, "error-codes": [serviceMarker] }, serviceMarker]) {
    servers.siteverify.respond({ status: 200, body });
    await verify(servers.siteverify.issue());
  }
  for (const body of [{ status: "public", username: 1, caption: lookedUp.caption }, lookedUp.caption]) {
    servers.service.respond({ status: 200, body });
    expect((await visitor.details(linkOf(codes.shown))).status).toBe(503);
  }
});

const { name, subject, message } = person;
const contact = { name, email, subject, category: "general", message };

test("stores messages only in the inbox, also if their mail fails", async () => {
  const sent = withFingerprint(servers.site);
  const key = { "idempotency-key": traces.idempotencyKey };
  const body = { ...contact, token: await sent.solveCaptcha() };
  expect((await sent.post("/api/contact/submit", body, key)).status).toBe(200);
  await until("the mail arrives", () => servers.mailServer.mails.length === 1);
  expect(servers.mailServer.mails[0]).toContain(email);
  const inbox = (await readAllKeys()).filter(({ key }) => key.startsWith("{inbox}:v1:message:"));
  expect(JSON.stringify(inbox)).toContain(email);

  servers.mailServer.refuse(`no mail from ${email}: ${traces.serviceMarker}`);
  const failing = withoutFingerprint(servers.site);
  const choices = { issueType: "likes", device: "iphone", browser: "safari" };
  const texts = { url: person.link, description: message, steps: message };
  const token = await failing.solveCaptcha();
  const response = await failing.post("/api/issue/submit", { name, email, ...choices, ...texts, token });
  expect(response.status).toBe(200);
  const failure = () => parseLog(servers.site).find(({ event }) => event === "mail failed");
  await until("the mail fails", () => failure() !== undefined);
  expect(failure()?.requestId).toBe(response.headers.get("x-request-id"));
  await reconcile();
  servers.mailServer.refuse(null);
});

test("stores only path segments that look like page names for a page that was not found", async () => {
  const visitor = withFingerprint(servers.site);
  const segments = [email, encodeURIComponent(email), ipv4, ipv6, linkOf(codes.shown), userAgent];
  for (const segment of segments) {
    expect((await visitor.post("/api/404", { path: `/old/${segment}/page` })).status).toBe(200);
    await visitor.visit(`/${encodeURIComponent(segment)}`);
  }
  await visitor.post("/api/404", { path: `/plain-page?from=${email}#${ipv4}` });
  const paths = (await readAllKeys()).find(({ key }) => key === "not-found:paths");
  // Each path with its number of reports. The beginning of the user agent looks like a page name.
  expect(paths?.value).toEqual(["/old/Marked-Browser/*", "1", "/plain-page", "1", "/old/*", "5"]);
});

test("does not log the content of malformed and unusual requests", async () => {
  const visitor = withFingerprint(servers.site);
  const json = { "content-type": "application/json" };
  const form = "/api/contact/submit";
  const shared = new URLSearchParams({ title: person.name, text: `${message} ${person.link}` }).toString();
  const urlencoded = { "content-type": "application/x-www-form-urlencoded" };
  const requests: [line: string, body?: string | object, headers?: Record<string, string>][] = [
    ["POST /api/instagram/like", `{"instagramUrl":"${email} ${ipv4}`],
    [`POST ${form}`, email, { "content-type": "text/plain" }],
    [`POST ${form}`, { ...contact, token: email }],
    [`POST ${form}`, { ...contact, email: `${email} ${ipv4}`, category: message, token: "x" }],
    ["POST /api/share", shared, urlencoded],
    ["POST /api/share", shared, { "content-type": `text/${email}` }],
    ["POST /api/404", "{}", { ...json, origin: `https://${email}` }],
    ["POST /api/404", { path: "/x" }, { ...json, "idempotency-key": `${email} ä` }],
    [`GET /api/instagram/post-details?url=${encodeURIComponent(email)}&${email}=${ipv4}`],
    [
      `GET /api/instagram/status?email=${email}`,
      undefined,
      { cookie: `flow-1763683200000=Fe26.2*1*${email}`, "x-request-id": email },
    ],
    [`PUT /api/${email}`],
    // Next.js itself would log some of these requests.
    [`POST /api/${email}`, email, { "content-type": `multipart/form-data; boundary=${email}` }],
    ["POST /faq", "", { "next-action": "40abcdef1234567890abcdef1234567890abcdef12" }],
    [`GET /_next/image?url=${encodeURIComponent(`/${email}.png`)}&w=640&q=75`],
    // Next.js fails for a malformed router state, so the guard removes these headers.
    ["GET /private-account-error", undefined, { rsc: "1", "next-router-state-tree": email }],
  ];
  for (const [line, content, headers = json] of requests) {
    const [method, path = ""] = line.split(" ");
    const body = typeof content === "object" ? JSON.stringify(content) : content;
    const { status } = await visitor.fetch(path, { method, headers, body });
    expect(status, line).toBeLessThan(500);
  }
  const cutBody = ["content-type: application/json", "content-length: 500"];
  for (const text of [
    requestText("POST /api/404", cutBody, `{"path":"/${email}`),
    `GET /${email} HTTP/9.9 ${ipv4}\r\n\r\n`,
  ]) {
    const connection = await openConnection(servers.site.port, text);
    connection.socket.end();
    await connection.ended;
  }
  // A cut body is an error of the client.
  const logged = () =>
    parseLog(servers.site).map(({ event, level, route, code }) => `${event} ${level} ${route} ${code}`);
  await until("the cut body is logged", () => logged().includes("request info 404 invalid_json"));
});

// lib/server/redis/contract.test.ts tests the errors of Redis.
test("does not log commands when Redis fails", async () => {
  const visitor = withoutFingerprint(servers.site);
  await visitor.startFlow(codes.shown);
  const token = await visitor.solveCaptcha();
  await servers.redis.kill();
  for (const response of [
    await visitor.like(codes.shown, keyFor(codes.shown)),
    await visitor.post("/api/recaptcha/verify", { token }),
    await visitor.get("/api/instagram/status"),
    await visitor.post("/api/404", { path: `/${email}` }),
  ])
    expect(response.status).toBe(503);
  await servers.redis.restart();
  await until("Redis is back", async () => (await visitor.get("/api/instagram/status")).status === 200);
  const causes = parseLog(servers.site).map(({ cause }) => String(cause));
  expect(causes).toContainEqual(expect.stringMatching(/^Redis: ledger reserve failed/));
});

test("writes no trace into metrics", async () => {
  const headers = { authorization: `Bearer ${secrets.health}` };
  for (const app of servers.apps) {
    const text = await (await fetch(`${app.url}/api/metrics`, { headers })).text();
    expect(text).toContain("boost50_requests_total");
    expect(traces.findTraces([], text, flowCookies())).toEqual([]);
  }
});

test("has stored every kind of key during these tests", () => {
  const isMissing = (pattern: RegExp) => ![...seenKeys].some((key) => pattern.test(key));
  expect(keyKinds.filter(([pattern]) => isMissing(pattern))).toEqual([]);
});
