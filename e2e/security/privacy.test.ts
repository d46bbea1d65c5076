import { expect, test, useServers } from "@/testing/test";
import { createHmac } from "node:crypto";
import IORedis from "ioredis";
import type { AppServer } from "@/testing/servers/app-server";
import { metaReplies, startLookupServer } from "@/testing/servers/lookup-servers";
import { startMailServer } from "@/testing/servers/mail-server";
import { startSiteverify } from "@/testing/servers/siteverify-server";
import { openConnection, requestText } from "@/testing/raw-http";
import { readRedis, type StoredKey } from "@/testing/redis-contents";
import { linkOf } from "@/testing/sample-posts";
import { until } from "@/testing/until";
import { Visitor, type VisitorOptions } from "@/testing/visitor";
import { findUnstructuredLines, parseLog } from "./log-lines";
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
  const siteverify = await servers.keep(startSiteverify({ provider: "recaptcha", secret: secrets.captcha }));
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
    CAPTCHA_PROVIDER: "recaptcha",
    CAPTCHA_SITE_KEY: "site-key-of-the-tests",
    CAPTCHA_SECRET_KEY: secrets.captcha,
    CAPTCHA_VERIFY_URL: siteverify.url,
  };
  const start = (database: number, env: Record<string, string>, live = false) =>
    servers.start({ database, live, env: { HEALTH_TOKEN: secrets.health, ...env } });
  const apps = {
    site: await start(0, site, true),
    oembed: await start(1, oembed),
    http: await start(2, http),
  };
  return { mailServer, meta, service, siteverify, ...apps };
});

const visitors: MarkedVisitor[] = [];
const seenKeys = new Set<string>();

/** A visitor whose captcha tokens and cookies are searched for after the test. */
class MarkedVisitor extends Visitor {
  constructor(app: AppServer, options: VisitorOptions) {
    super(app.url, options);
    visitors.push(this);
  }
  override async solveCaptcha(): Promise<string> {
    const token = await super.solveCaptcha();
    traces.addToken(token);
    return token;
  }
}

const withFingerprint = (app: AppServer) => new MarkedVisitor(app, { address: ipv4, fingerprint, userAgent });
const withoutFingerprint = (app: AppServer) =>
  new MarkedVisitor(app, { address: ipv6, fingerprint: undefined, userAgent });

const apps = () => [servers.site, servers.oembed, servers.http];
const output = () => apps().reduce((all, app) => `${all}\n${app.output()}`, "");
const flowCookies = () =>
  visitors.flatMap(({ cookies }) => [...cookies.values()].filter((value) => value.startsWith("Fe26")));
const keyFor = (code: string) => `${traces.idempotencyKey}-${code}`;

test.afterEach(async () => {
  const stored = await readAllKeys();
  for (const { key } of stored) seenKeys.add(key);
  expect(traces.findTraces(stored, output(), flowCookies())).toEqual([]);
  const policy = await (await fetch(`${servers.site.url}/privacy-policy`)).text();
  expect(findLongLives(stored, policy)).toEqual([]);
  expect(findUnstructuredLines(output())).toEqual([]);
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

test("stores a mailed message only in the inbox", async () => {
  const visitor = withFingerprint(servers.site);
  const key = { "idempotency-key": traces.idempotencyKey };
  const body = { ...contact, token: await visitor.solveCaptcha() };
  expect((await visitor.post("/api/contact/submit", body, key)).status).toBe(200);
  await until("the mail arrives", () => servers.mailServer.mails.length === 1);
  expect(servers.mailServer.mails[0]).toContain(email);
  const inbox = (await readAllKeys()).filter(({ key }) => key.startsWith("{inbox}:v1:message:"));
  expect(JSON.stringify(inbox)).toContain(email);
});

test("stores a message whose mail fails only in the inbox", async () => {
  servers.mailServer.refuse(`no mail from ${email}: ${traces.serviceMarker}`);
  const visitor = withoutFingerprint(servers.site);
  const choices = { issueType: "likes", device: "iphone", browser: "safari" };
  const texts = { url: person.link, description: message, steps: message };
  const token = await visitor.solveCaptcha();
  const response = await visitor.post("/api/issue/submit", { name, email, ...choices, ...texts, token });
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

test("keeps no trace of shared text", async () => {
  const visitor = withFingerprint(servers.site);
  const text = `${person.message} ${person.link}`;
  const shared = new URLSearchParams({ title: person.name, text }).toString();
  const share = (body: string, type = "application/x-www-form-urlencoded") =>
    visitor.fetch("/api/share", { method: "POST", headers: { "content-type": type }, body });
  expect((await share(shared)).headers.get("location")).toBe("/");
  await share(shared.repeat(2_000));
  await share(shared, `text/${email}`);
  const lines = parseLog(servers.site).filter(({ route }) => route === "share");
  expect(lines.map(({ code }) => code)).toEqual([undefined, "body_too_large", "unsupported_media_type"]);
});

test("does not log the content of malformed and unusual requests", async () => {
  const visitor = withFingerprint(servers.site);
  const json = { "content-type": "application/json" };
  const post = (path: string, body: string, headers: Record<string, string> = json) =>
    visitor.fetch(path, { method: "POST", headers, body });
  await post("/api/instagram/like", `{"instagramUrl":"${email} ${ipv4}`);
  await post("/api/instagram/like", JSON.stringify({ instagramUrl: email }));
  await post("/api/contact/submit", email, { "content-type": "text/plain" });
  await post("/api/contact/submit", email.repeat(6_000));
  for (const body of [
    { ...contact, token: email },
    { ...contact, token: 5, [email]: message },
    { ...contact, email: `${email} ${ipv4}`, category: message, token: "x" },
    [contact, { constructor: contact }],
  ])
    await post("/api/contact/submit", JSON.stringify(body));
  await post("/api/404", "{}", { ...json, origin: `https://${email}` });
  await post("/api/404", '{"path":"/x"}', { ...json, "idempotency-key": `${email} ä` });
  await visitor.fetch(`/api/instagram/post-details?url=${encodeURIComponent(email)}&${email}=${ipv4}`);
  const cookies = { cookie: `flow-1763683200000=Fe26.2*1*${email}`, "x-request-id": email };
  await visitor.fetch(`/api/instagram/status?email=${email}`, { headers: cookies });
  await visitor.fetch(`/api/health?deep=1`, { headers: { authorization: `Bearer ${email}` } });
  await visitor.fetch(`/api/${email}`, { method: "PUT" });
  // Next.js itself would log some of these requests.
  await post(`/api/${email}`, email, { "content-type": `multipart/form-data; boundary=${email}` });
  await post("/", "", { "next-action": email });
  await post("/faq", "", { "next-action": "40abcdef1234567890abcdef1234567890abcdef12" });
  await visitor.fetch(`/_next/image?url=${encodeURIComponent(`/${email}.png`)}&w=640&q=75`);
  // Next.js fails for a malformed router state, so the guard removes these headers.
  const tree = { rsc: "1", "next-router-state-tree": email };
  expect((await visitor.fetch("/private-account-error", { headers: tree })).status).toBe(200);
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

test("does not log commands or messages of Redis when Redis fails or responds with an error", async () => {
  const visitor = withoutFingerprint(servers.oembed);
  servers.meta.respond(metaReplies.found);
  const client = new IORedis(`${servers.redis.url}/1`);
  await client.del("lookup:cool-off");
  await visitor.startFlow(codes.shown);
  const token = await visitor.solveCaptcha();
  const report = async () => (await visitor.post("/api/404", { path: `/${email}` })).status;
  // With a value of the wrong type, the error message contains the command.
  await client.set("not-found:paths", "x", "EX", 60);
  expect(await report()).toBe(503);
  await client.del("not-found:paths");
  client.disconnect();

  await servers.redis.kill();
  expect((await visitor.like(codes.shown, keyFor(codes.shown))).status).toBe(503);
  expect((await visitor.post("/api/recaptcha/verify", { token })).status).toBe(503);
  expect((await visitor.get("/api/instagram/status")).status).toBe(503);
  expect(await report()).toBe(503);
  await servers.redis.restart();
  await until("Redis is back", async () => (await visitor.get("/api/instagram/status")).status === 200);
  const causes = parseLog(servers.oembed).map(({ cause }) => String(cause));
  expect(causes).toContain("Redis: not-found report failed (WRONGTYPE)");
  expect(causes).toContainEqual(expect.stringMatching(/^Redis: ledger reserve failed/));
});

test("writes no trace into metrics", async () => {
  const headers = { authorization: `Bearer ${secrets.health}` };
  for (const app of apps()) {
    const text = await (await fetch(`${app.url}/api/metrics`, { headers })).text();
    expect(text).toContain("boost50_requests_total");
    expect(traces.findTraces([], text, flowCookies())).toEqual([]);
  }
});

test("has stored every kind of key during these tests", () => {
  const isMissing = (pattern: RegExp) => ![...seenKeys].some((key) => pattern.test(key));
  expect(keyKinds.filter(([pattern]) => isMissing(pattern))).toEqual([]);
});
