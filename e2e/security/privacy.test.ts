import { expect, test, useServers } from "../support/test";
import { createHash, createHmac } from "node:crypto";
import { connect } from "node:net";
import IORedis from "ioredis";
import { errorTable } from "@/lib/http/errors";
import { routeNames } from "@/lib/server/http/route-names";
import { sessionSecret, type AppServer } from "../support/servers/app-server";
import { until } from "../support/until";
import { webhookSecret } from "../support/servers/live-delivery";
import { metaMarker, metaReplies, startLookupServer } from "../support/servers/lookup-servers";
import { startMailServer } from "../support/servers/mail-server";
import { readRedis, type StoredKey } from "../support/redis-contents";
import { linkOf } from "../support/sample-posts";
import { startSiteverify } from "../support/servers/siteverify-server";
import { Visitor, type VisitorOptions } from "../support/visitor";

/*
 * Known people visit, in every way that is known to end in a record or in a log line. After each visit all of Redis and
 * all that the servers wrote is searched for what must not be there, and every key's life is held against the privacy
 * policy's own table.
 */

const fingerprint = "fpMARK7d1c04b2f9e65a38";
const userAgent = "Marked-Browser/77.3 (of the visitor)";
const ipv4 = "203.0.113.177";
const ipv6 = "2001:db8:7a3f:91c4:1b2c:3d4e:5f60:7182";
const email = "marked.person@example.com";
const person = {
  name: "Markworth Personson",
  email,
  subject: "A marked subject",
  message: "This marked message is nobody else's.",
  link: "https://www.instagram.com/marked.account/p/Cmarkedlink/",
};
const codes = {
  accepted: "Cmarkacpt01",
  refused: "Cmarkrefu01",
  pending: "Cmarkpend01",
  shown: "Cmarkshow01",
};
const idempotencyKey = "idempotency-key-of-the-marked-visitor";
const keyFor = (code: string) => `${idempotencyKey}-${code}`;

/** What services answer; nothing of it may be logged, and only a refusal's words are kept. */
const serviceMarker = "WORDS-OF-A-SERVICE";
const refusalWords = `Not this one: ${serviceMarker}`;
const lookedUp = {
  username: "looked.up.account",
  caption: "LOOKED-UP-CAPTION",
  imageUrl: "https://images.example.com/LOOKED-UP-IMAGE.jpg",
};

const secrets = {
  session: sessionSecret,
  visitorHash: "visitor-secret-of-the-tests-0123456789",
  webhook: webhookSecret,
  cron: "cron-secret-of-the-tests",
  health: "health-token-of-the-tests",
  metrics: "metrics-token-of-the-tests",
  oembed: "1234567890|oembed-token-of-the-tests",
  lookup: "lookup-secret-of-the-tests",
  captcha: "captcha-secret-of-the-tests",
  smtp: "smtp-password-of-the-tests",
};

const servers = useServers({ appendOnly: true }, async (servers) => {
  const mailServer = await servers.keep(startMailServer({ user: "mailer", password: secrets.smtp }));
  const meta = await servers.keep(startLookupServer());
  const service = await servers.keep(startLookupServer());
  const siteverify = await servers.keep(startSiteverify({ provider: "recaptcha", secret: secrets.captcha }));
  const [site, oembed, http] = await Promise.all([
    // Sandbox lookup, webhook, mail.
    servers.start({
      live: true,
      env: {
        VISITOR_HASH_SECRET: secrets.visitorHash,
        SMTP_URL: `smtp://mailer:${secrets.smtp}@127.0.0.1:${mailServer.port}`,
        NODE_EXTRA_CA_CERTS: mailServer.authority,
        MAIL_FROM: "site@example.com",
        INBOX_EMAIL: "operator@example.com",
        CRON_SECRET: secrets.cron,
        HEALTH_TOKEN: secrets.health,
        METRICS_TOKEN: secrets.metrics,
      },
    }),
    servers.start({
      database: 1,
      env: {
        POST_LOOKUP: "oembed",
        META_OEMBED_URL: meta.url,
        META_OEMBED_TOKEN: secrets.oembed,
        METRICS_TOKEN: secrets.metrics,
      },
    }),
    // A lookup service and reCAPTCHA.
    servers.start({
      database: 2,
      env: {
        POST_LOOKUP: "http",
        POST_LOOKUP_URL: service.url,
        POST_LOOKUP_SECRET: secrets.lookup,
        POST_LOOKUP_IMAGE_HOSTS: "images.example.com",
        CAPTCHA_PROVIDER: "recaptcha",
        CAPTCHA_SITE_KEY: "site-key-of-the-tests",
        CAPTCHA_SECRET_KEY: secrets.captcha,
        CAPTCHA_VERIFY_URL: siteverify.url,
        METRICS_TOKEN: secrets.metrics,
      },
    }),
  ]);
  return { mailServer, meta, service, siteverify, site, oembed, http };
});

/** Tokens of the human check, and what stands in them. */
const tokens = new Set<string>();
const visitors: MarkedVisitor[] = [];
const seenKinds = new Set<string>();

/** A visitor whose tokens and cookies are looked for afterwards. */
class MarkedVisitor extends Visitor {
  constructor(app: AppServer, options: VisitorOptions) {
    super(app.url, options);
    visitors.push(this);
  }
  override async solveCaptcha(): Promise<string> {
    const token = await super.solveCaptcha();
    tokens.add(token);
    for (const part of Buffer.from(token, "base64")
      .toString()
      .match(/[0-9a-f]{32,}/g) ?? [])
      tokens.add(part);
    return token;
  }
}

const withFingerprint = (app: AppServer) => new MarkedVisitor(app, { address: ipv4, fingerprint, userAgent });
const withoutFingerprint = (app: AppServer) =>
  new MarkedVisitor(app, { address: ipv6, fingerprint: undefined, userAgent });

test.afterEach(async () => {
  const stored = await everythingStored();
  expect(findTraces(stored, output())).toEqual([]);
  expect(await findLongLives(stored)).toEqual([]);
  expect(strayLines()).toEqual([]);
});

async function everythingStored(): Promise<StoredKey[]> {
  const databases = await Promise.all([0, 1, 2].map((number) => readRedis(`${servers.redis.url}/${number}`)));
  return databases.flat();
}

const output = () => [servers.site, servers.oembed, servers.http].map((app) => app.output()).join("\n");

function hashesOf(value: string): string[] {
  const digests = ["sha256", "sha1", "md5"].map((name) => createHash(name).update(value).digest());
  return digests.flatMap(encodingsOf);
}

function encodingsOf(bytes: Buffer): string[] {
  return [bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
}

/** A text as it is, escaped and encoded. */
const spellingsOf = (value: string) => [value, encodeURIComponent(value), ...encodingsOf(Buffer.from(value))];

/** Every form in which a text could be kept by who does not hash it with a key. */
const formsOf = (value: string) => [...spellingsOf(value), ...hashesOf(value)];

/** The address as texts, in hex, as a number and in base64, hashed without a key, and of IPv6 also the /64. */
function addressForms(): string[] {
  const v4 = Buffer.from(ipv4.split(".").map(Number));
  const groups = ipv6.split(":").map((group) => group.padStart(4, "0"));
  const v6 = Buffer.from(groups.join(""), "hex");
  const prefix = "2001:db8:7a3f:91c4";
  const texts = [
    ...[ipv4, `::ffff:${ipv4}`, "::ffff:cb00:71b1"],
    ...[ipv6, groups.join(":"), prefix, `${prefix}::`, `${prefix}::/64`, `${prefix}:0:0:0:0`],
    groups.slice(0, 4).join(":"),
  ];
  const seen = [`fingerprint ${fingerprint}`, `user agent ${userAgent}`];
  const hashed = texts.flatMap((address) => [
    `address\n${address}`,
    ...seen.map((browser) => `visitor\n${address}\n${browser}`),
  ]);
  return [
    ...texts.flatMap(formsOf),
    ...hashed.flatMap(hashesOf),
    ...[v4, v6, v6.subarray(0, 8)].flatMap((bytes) => [
      ...encodingsOf(bytes),
      ...hashesOf(bytes.toString("latin1")),
    ]),
    ...[String(v4.readUInt32BE()), BigInt(`0x${v6.toString("hex")}`).toString()],
  ];
}

const personal = Object.values(person);

/** What may stand nowhere, neither in Redis nor in what was written. */
function forbiddenEverywhere(): string[] {
  return [
    ...addressForms(),
    ...[fingerprint, userAgent, ...Object.values(codes).map(linkOf)].flatMap(formsOf),
    ...personal.flatMap(hashesOf),
    ...[idempotencyKey, ...Object.values(secrets), ...tokens].flatMap(spellingsOf),
    ...visitors.flatMap(({ cookies }) => cookies.get("flow") ?? []),
    ...[metaMarker, "instagram-media", "provider_name", ...Object.values(lookedUp)],
  ];
}

/** What Redis may know, and the log may not. */
function forbiddenInLog(): string[] {
  return [
    ...[...Object.values(codes), ...personal].flatMap(formsOf),
    ...[serviceMarker, "marked", "EVALSHA", "HGETALL", "{likes}", "{inbox}"],
  ];
}

/** Where something stands that must not: the place, and the first characters of what it is. */
function findTraces(stored: StoredKey[], written: string): string[] {
  const everywhere = forbiddenEverywhere();
  const inKeys = stored.map(({ key, value }) => ({ key, content: `${key} ${JSON.stringify(value)}` }));
  const traces = inKeys.flatMap(({ key, content }) => found(key, content, everywhere));
  const outside = inKeys.filter(({ key }) => !key.startsWith("{inbox}:v1:message:"));
  traces.push(...outside.flatMap(({ key, content }) => found(key, content, personal.flatMap(spellingsOf))));
  traces.push(...found("output", written, [...everywhere, ...forbiddenInLog()]));
  return traces;
}

function found(place: string, content: string, forbidden: readonly string[]): string[] {
  const lower = content.toLowerCase();
  return forbidden
    .filter((trace) => lower.includes(trace.toLowerCase()))
    .map((trace) => `${place} holds ${trace.slice(0, 60)}`);
}

/** Which row of the privacy policy's table a key belongs to, by the row's first words. */
const kinds: readonly (readonly [pattern: RegExp, row: string])[] = [
  [/^\{likes\}:v2:order:/, "The record of a request"],
  [/^\{likes\}:v2:pending$/, "The record of a request"],
  [/^\{likes\}:v2:claim:/, "The record of a request"],
  [/^\{likes\}:v2:visitor:/, "Your waiting time"],
  [/^\{likes\}:v2:address:/, "How many requests came from an address"],
  [/^\{likes\}:v2:network:/, "How many requests came from an address"],
  [/^lookup:flow:/, "How often a post was looked up"],
  [/^lookup:address:/, "How often a post was looked up"],
  [/^burst:(?:verify|form|notFoundReport):/, "How many requests came from an address"],
  [/^\{inbox\}:v1:request:/, "That a message was sent"],
  [/^\{inbox\}:v1:address:/, "How many messages came from an address"],
  [/^captcha:used:/, "That a human check was used"],
  [/^\{likes\}:v2:budget:/, "Total of likes per day"],
  [/^not-found:paths$/, "Addresses of pages that were not found"],
  [/^lookup:cool-off$/, "That the lookup service asked us to pause"],
  [/^\{inbox\}:v1:(?:message:|index$|unmailed$|bytes$|life$)/, "Messages that you send us"],
];

/** Keys that live longer than the policy's table says, or of which it does not speak. */
async function findLongLives(stored: StoredKey[]): Promise<string[]> {
  const rows = await readPolicy();
  return stored.flatMap(({ key, value, lifeSeconds }) => {
    const kind = kinds.find(([pattern]) => pattern.test(key));
    if (!kind) return [`${key} is of no known kind`];
    const [pattern, row] = kind;
    seenKinds.add(pattern.source);
    const lives = rows.find(([label]) => label.startsWith(row))?.[1] ?? [];
    // "24 hours; 48 while a request is open", "1 minute; 24 hours after a request for likes"
    const record = readRecord(value);
    const isOfNetwork = /^\{likes\}:v2:(?:address|network):/.test(key);
    const counts = Object.keys({ ...record.orders, ...record.hours, ...record.lost });
    const isLonger = isOfNetwork ? counts.length > 0 : record.order !== undefined;
    const stated = (isLonger ? lives.at(-1) : lives[0]) ?? 0;
    return lifeSeconds <= stated ? [] : [`${key} lives ${lifeSeconds} s, the policy says ${stated} s`];
  });
}

function readRecord(value: unknown): { order?: string; orders?: object; hours?: object; lost?: object } {
  return typeof value === "string" && value.startsWith("{") ? (JSON.parse(value) as object) : {};
}

/** The policy's table: each row's words, and its lives in seconds. */
async function readPolicy(): Promise<[label: string, lives: number[]][]> {
  const html = await (await fetch(`${servers.site.url}/privacy-policy`)).text();
  const rows = html.matchAll(/<th scope="row"[^>]*>([^<]*)<\/th><td[^>]*>([^<]*)<\/td>/g);
  return Array.from(rows, ([, label = "", life = ""]) => [label, livesIn(life)]);
}

function livesIn(words: string): number[] {
  const seconds = { day: 86_400, hour: 3_600, minute: 60 };
  let unit = 0;
  return Array.from(words.matchAll(/(\d+)(?: (day|hour|minute)s?)?/g), ([, count, name]) => {
    if (name) unit = seconds[name as keyof typeof seconds];
    return Number(count) * unit;
  });
}

/** Lines that are neither JSON with time, level and event, nor the words with which Next.js starts. */
function strayLines(): string[] {
  const greeting = /^(?:▲ Next\.js|- (?:Local|Network):|✓ )/;
  const lines = output()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !greeting.test(line));
  return lines.filter(
    (line) => !/^\{"time":"[^"]+","level":"(?:info|warn|error)","event":"[^"]+".*\}$/.test(line),
  );
}

interface LogLine {
  event: string;
  requestId?: string;
  [field: string]: unknown;
}

function logLines(app: AppServer): LogLine[] {
  const lines = app.output().split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);
}

async function upkeep(): Promise<void> {
  await fetch(`${servers.site.url}/api/cron/reconcile`, {
    headers: { authorization: `Bearer ${secrets.cron}` },
  });
}

/** The pages of a visit, the captcha's token a second time, the status, and the like. */
async function walkThrough(visitor: MarkedVisitor, code: string) {
  await visitor.startFlow(code);
  for (const path of ["/verification/", `/preview/${code}?from=url-entry`, "/get-likes/"]) {
    await visitor.visit(path);
  }
  await visitor.get("/api/instagram/status");
  return visitor.like(code, keyFor(code));
}

test.describe("a visit", () => {
  test("with fingerprint and IPv4 that is accepted, repeated and held by its cooldown", async () => {
    servers.receiver.respond("accept");
    const visitor = withFingerprint(servers.site);
    expect((await walkThrough(visitor, codes.accepted)).status).toBe(200);
    expect((await visitor.like(codes.accepted, keyFor(codes.accepted))).status).toBe(200);
    await visitor.visit("/success/");
    expect((await visitor.like(codes.accepted)).body.code).toBe("cooldown");
    // The records are those of this visitor: what is searched for could be there.
    const hash = createHmac("sha256", secrets.visitorHash).update(`address\n${ipv4}`).digest("base64url");
    expect(JSON.stringify(await everythingStored())).toContain(hash);
  });

  test("without fingerprint and over IPv6 that stays pending, and then is refused", async () => {
    servers.receiver.respond({ status: 500, body: { message: serviceMarker } });
    const visitor = withoutFingerprint(servers.site);
    expect((await walkThrough(visitor, codes.pending)).body.code).toBe("order_pending");
    servers.receiver.respond({ status: 422, body: { message: refusalWords } });
    await upkeep();
    const again = await visitor.like(codes.pending, keyFor(codes.pending));
    expect(again.body).toMatchObject({ code: "delivery_refused", message: refusalWords });
  });

  test("that leaves an order open", async () => {
    servers.receiver.respond("drop");
    const visitor = withoutFingerprint(servers.site);
    expect((await walkThrough(visitor, codes.refused)).body.code).toBe("order_pending");
  });
});

test.describe("a lookup", () => {
  test("by oEmbed, found, missing, broken and limited", async () => {
    servers.meta.respond(metaReplies.found);
    expect((await walkThrough(withFingerprint(servers.oembed), codes.shown)).status).toBe(200);
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

  test("by a service that knows name, caption and image, and a human check by reCAPTCHA", async () => {
    servers.service.respond({ status: 200, body: { status: "public", ...lookedUp } });
    const visitor = withFingerprint(servers.http);
    const verify = async (token: string) => {
      tokens.add(token);
      return visitor.post("/api/recaptcha/verify", { token, url: linkOf(codes.shown) });
    };
    expect((await verify(servers.siteverify.issue())).status).toBe(200);
    expect((await visitor.details(linkOf(codes.shown))).body).toMatchObject(lookedUp);
    expect((await visitor.like(codes.shown, idempotencyKey)).status).toBe(200);

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
});

test.describe("a message", () => {
  const { name, subject, message, link } = person;
  const contact = { name, email, subject, category: "general", message };
  const issue = {
    ...{ name, email, issueType: "likes", url: link, device: "iphone", browser: "safari" },
    ...{ description: message, steps: message },
  };

  test("that is mailed stands in the inbox alone", async () => {
    const visitor = withFingerprint(servers.site);
    const key = { "idempotency-key": idempotencyKey };
    const body = { ...contact, token: await visitor.solveCaptcha() };
    expect((await visitor.post("/api/contact/submit", body, key)).status).toBe(200);
    await until("the mail goes out", () => servers.mailServer.mails.length === 1);
    expect(servers.mailServer.mails[0]).toContain(email);
    const inbox = (await everythingStored()).filter(({ key: name }) =>
      name.startsWith("{inbox}:v1:message:"),
    );
    expect(JSON.stringify(inbox)).toContain(email);
  });

  test("whose mail fails waits for the next try", async () => {
    servers.mailServer.refuse(`no mail from ${email}: ${serviceMarker}`);
    const visitor = withoutFingerprint(servers.site);
    const answer = await visitor.post("/api/issue/submit", { ...issue, token: await visitor.solveCaptcha() });
    expect(answer.status).toBe(200);
    await until("the mail fails", () => logLines(servers.site).some(({ event }) => event === "mail failed"));
    const failed = logLines(servers.site).find(({ event }) => event === "mail failed");
    expect(failed?.requestId).toBe(answer.headers.get("x-request-id"));
    await upkeep();
    servers.mailServer.refuse(null);
  });

  test("without a human check, or malformed, is not repeated in the log", async () => {
    const visitor = withFingerprint(servers.site);
    for (const body of [
      { ...contact, token: email },
      { ...contact, token: 5, [email]: message },
      { ...contact, email: `${email} ${ipv4}`, category: message, token: "x" },
      [contact, { __proto__: contact }],
    ]) {
      expect((await visitor.post("/api/contact/submit", body)).status).toBeGreaterThanOrEqual(400);
    }
  });
});

test("a report of a page that was not found keeps only names of pages", async () => {
  const visitor = withFingerprint(servers.site);
  const strange = [email, encodeURIComponent(email), ipv4, ipv6, linkOf(codes.shown), userAgent];
  for (const part of strange) {
    const path = `/old/${part}/page`;
    expect((await visitor.post("/api/404", { path })).status).toBe(200);
    await visitor.visit(`/${encodeURIComponent(part)}`);
  }
  await visitor.post("/api/404", { path: `/plain-page?from=${email}#${ipv4}` });
  const paths = (await everythingStored()).find(({ key }) => key === "not-found:paths");
  // With the count of reports behind each; a browser's name with a space begins like a page's.
  expect(paths?.value).toEqual(["/old/Marked-Browser/*", "1", "/plain-page", "1", "/old/*", "5"]);
});

test("what the device's share menu sends is kept nowhere, whatever it holds", async () => {
  const visitor = withFingerprint(servers.site);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const shared = new URLSearchParams({ title: person.name, text: `${person.message} ${person.link}` });
  const share = (body: string, type = headers) =>
    visitor.fetch("/api/share", { method: "POST", headers: type, body });
  expect((await share(shared.toString())).headers.get("location")).toBe("/");
  await share(shared.toString().repeat(300));
  await share(shared.toString(), { "content-type": `text/${email}` });
  const lines = logLines(servers.site).filter(({ route }) => route === "share");
  expect(lines.map(({ status, code }) => `${status} ${code}`)).toEqual([
    "303 undefined",
    "303 body_too_large",
    "303 unsupported_media_type",
  ]);
});

/** Bytes over a socket, as no HTTP client sends them; resolves when the server hangs up. */
function sendRaw(app: AppServer, lines: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(app.port, "localhost", () => socket.end(`${lines.join("\r\n")}\r\n\r\n`));
    socket.on("error", reject).on("close", () => resolve());
    socket.resume();
  });
}

test("requests that no browser makes are not repeated in the log", async () => {
  const visitor = withFingerprint(servers.site);
  const json = { "content-type": "application/json" };
  const requests: [path: string, init: RequestInit][] = [
    ["/api/instagram/like", { method: "POST", headers: json, body: `{"instagramUrl":"${email} ${ipv4}` }],
    ["/api/instagram/like", { method: "POST", headers: json, body: JSON.stringify({ instagramUrl: email }) }],
    ["/api/contact/submit", { method: "POST", headers: { "content-type": "text/plain" }, body: email }],
    ["/api/contact/submit", { method: "POST", headers: json, body: email.repeat(2_000) }],
    ["/api/404", { method: "POST", headers: { ...json, origin: `https://${email}` }, body: "{}" }],
    [
      "/api/404",
      { method: "POST", headers: { ...json, "idempotency-key": `${email} ä` }, body: '{"path":"/x"}' },
    ],
    [`/api/instagram/post-details?url=${encodeURIComponent(email)}&${email}=${ipv4}`, {}],
    [
      `/api/instagram/status?email=${email}`,
      { headers: { cookie: `flow=Fe26.2*1*${email}`, "x-request-id": email } },
    ],
    [`/api/health?deep=1`, { headers: { authorization: `Bearer ${email}` } }],
    [`/api/${email}`, { method: "PUT" }],
    // What Next.js itself has something to say about, with the visitor's words in it.
    [
      `/api/${email}`,
      { method: "POST", headers: { "content-type": `multipart/form-data; boundary=${email}` }, body: email },
    ],
    ["/", { method: "POST", headers: { "next-action": email } }],
    ["/faq", { method: "POST", headers: { "next-action": "40abcdef1234567890abcdef1234567890abcdef12" } }],
    [`/_next/image?url=${encodeURIComponent(`/${email}.png`)}&w=640&q=75`, {}],
  ];
  for (const [path, init] of requests) await visitor.fetch(path, init);
  // With the router's header a malformed state failed a page: the door leaves it out.
  const tree = { rsc: "1", "next-router-state-tree": email };
  expect((await visitor.fetch("/private-account-error", { headers: tree })).status).toBe(200);
  await sendRaw(servers.site, [
    ...["POST /api/404 HTTP/1.1", "host: localhost", "content-type: application/json"],
    ...["content-length: 500", "", `{"path":"/${email}`],
  ]);
  await sendRaw(servers.site, [`GET /${email} HTTP/9.9 ${ipv4}`]);
  await until("the body that broke off is the client's failure", () =>
    logLines(servers.site).some(
      ({ route, status, code }) => `${route} ${status} ${code}` === "404 400 invalid_json",
    ),
  );
  await until("what Next.js had to say is logged", () =>
    logLines(servers.site).some(({ event }) => event === "other output"),
  );
});

test("Redis that fails in the middle of a visit, or answers with errors, is named without its words", async () => {
  const visitor = withoutFingerprint(servers.oembed);
  servers.meta.respond(metaReplies.found);
  const client = new IORedis(`${servers.redis.url}/1`);
  await client.del("lookup:cool-off");
  await visitor.startFlow(codes.shown);
  const token = await visitor.solveCaptcha();
  // A value of another type: Redis answers with an error, and the client's words for it hold the command.
  await client.set("not-found:paths", "x", "EX", 60);
  expect((await visitor.post("/api/404", { path: `/${email}` })).status).toBe(503);
  await client.del("not-found:paths");
  client.disconnect();

  await servers.redis.kill();
  try {
    expect((await visitor.like(codes.shown, keyFor(codes.shown))).status).toBe(503);
    expect((await visitor.post("/api/recaptcha/verify", { token })).status).toBe(503);
    expect((await visitor.get("/api/instagram/status")).status).toBe(503);
    expect((await visitor.post("/api/404", { path: `/${email}` })).status).toBe(503);
  } finally {
    await servers.redis.restart();
  }
  await until("Redis is back", async () => (await visitor.get("/api/instagram/status")).status === 200);
  const causes = logLines(servers.oembed).map(({ cause }) => String(cause));
  expect(causes).toContain("Redis: not-found report failed (WRONGTYPE)");
  expect(causes).toContainEqual(expect.stringMatching(/^Redis: ledger reserve failed/));
});

test("every answer of the API has the id under which its one line stands, and none that the client chose", async () => {
  const visitor = withFingerprint(servers.site);
  for (const path of [
    "/api/instagram/status",
    `/api/instagram/post-details?id=${codes.shown}`,
    "/api/cron/reconcile",
  ]) {
    const { status, headers } = await visitor.fetch(path, {
      headers: { "x-request-id": "chosen-by-the-client" },
    });
    const requestId = headers.get("x-request-id");
    const linesOfIt = () =>
      logLines(servers.site).filter((line) => line.event === "request" && line.requestId === requestId);
    // What a server writes reaches this process a little after its answer.
    await until("the line is here", () => linesOfIt().length > 0);
    const lines = linesOfIt();
    expect(lines).toEqual([
      expect.objectContaining({ method: "GET", route: expect.stringMatching(/^[a-z-]+$/), status }),
    ]);
    expect(lines[0]?.durationMs).toEqual(expect.any(Number));
  }
  expect(output()).not.toContain("chosen-by-the-client");
});

test("the metrics of all this name nobody: what stands in them is from lists of the product's own", async () => {
  const headers = { authorization: `Bearer ${secrets.metrics}` };
  const names: Record<string, readonly string[]> = {
    route: routeNames,
    outcome: [
      ...[
        "2xx",
        "3xx",
        "4xx",
        "5xx",
        ...Object.keys(errorTable),
        "accepted",
        "refused",
        "pending",
        "abandoned",
      ],
      ...["unknown", "public", "private", "missing", "passed", "rejected", "unavailable", "skipped"],
      ...["answered", "lost"],
    ],
    provider: ["sandbox", "oembed", "http", "altcha", "recaptcha"],
    event: [
      "request",
      "delivery",
      "page failed",
      "other output",
      "configuration",
      "mail failed",
      "lookup cool-off",
    ],
  };
  for (const app of [servers.site, servers.oembed, servers.http]) {
    const text = await (await fetch(`${app.url}/api/metrics`, { headers })).text();
    expect(findTraces([], text)).toEqual([]);
    const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)].filter(([, label = ""]) => label in names);
    expect(labels.length).toBeGreaterThan(50);
    const foreign = labels.filter(([, label = "", value = ""]) => !names[label]?.includes(value));
    expect(foreign.map(([pair]) => pair)).toEqual([]);
  }
});

test("has seen every kind of key that there is", () => {
  expect([...seenKinds].sort()).toEqual(kinds.map(([pattern]) => pattern.source).sort());
});
