import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { inboxLimits } from "@/lib/config/limits";
import { createInbox } from "@/lib/server/inbox/inbox";
import { expect, test, useServers } from "@/testing/test";
import { until } from "@/testing/until";
import { startMailServer } from "@/testing/servers/mail-server";
import { runTool } from "@/testing/operator-tools";
import { Visitor } from "@/testing/visitor";
import { goodInput } from "@/testing/good-input";

const servers = useServers({ redisSettings: ["--appendonly", "yes"] }, async (servers) => {
  const mailServer = await servers.keep(startMailServer());
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: "site@example.com",
    SUPPORT_EMAIL: "operator@example.com",
    CRON_SECRET: "cron-secret-of-the-tests",
  };
  return { mailServer, app: await servers.start({ env }) };
});
test.beforeEach(() => {
  servers.mailServer.mails.length = 0;
  servers.mailServer.refuse(null);
});

const forms = {
  contact: goodInput.contact,
  feedback: goodInput.feedback,
  issue: { ...goodInput.issue, reproduceIssue: true },
};
type Form = keyof typeof forms;

const newVisitor = () => new Visitor(servers.app.url);

async function submit(visitor: Visitor, form: Form, fields: object = forms[form], key?: string) {
  const token = await visitor.solveCaptcha();
  return visitor.post(`/api/${form}/submit`, { ...fields, token }, key ? { "idempotency-key": key } : {});
}

/** Returns the output of `npm run inbox`. */
async function inbox(...args: string[]): Promise<string> {
  return (await runTool("inbox", args, { REDIS_URL: servers.redis.url })).stdout;
}

/** Returns whether a file of Redis contains a text. */
const isOnDisk = (text: string) => spawnSync("grep", ["-rqF", text, servers.redis.dir]).status === 0;

const messages = async () =>
  (await inbox("export"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: string; form: Form; fields: Record<string, unknown> });

for (const form of ["contact", "feedback", "issue"] as const)
  test(`stores and mails a ${form} message`, async () => {
    const response = await submit(newVisitor(), form);
    expect(response).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } });
    expect((await messages())[0]).toMatchObject({ form, fields: forms[form] });
    await until("the mail arrives", () => servers.mailServer.mails.length === 1);
    const [mail = ""] = servers.mailServer.mails;
    expect(mail).toMatch(/^From: site@example\.com/m);
    expect(mail).toMatch(/^To: operator@example\.com/m);
    expect(mail).toMatch(/^Reply-To: .*person@example\.com/m);
  });

for (const character of ["😀", "e\u0301", '"', "\u0001", "\ud800"])
  test(`stores the longest report of ${JSON.stringify(character)}, and more from the same address`, async () => {
    const visitor = newVisitor();
    const [reference, url, text] = [100, 1_500, 5_000].map((length) => character.repeat(length));
    const report = { ...forms.issue, name: reference, reference, url, description: text, steps: text };
    expect(await submit(visitor, "issue", report)).toMatchObject({ status: 200 });
    const sizes = (await servers.store.keys("{inbox}:v1:message:*")).map((key) => servers.store.strlen(key));
    expect(Math.max(...(await Promise.all(sizes)))).toBeLessThan(inboxLimits.messageBytes);
    expect((await submit(visitor, "contact")).status).toBe(200);
    await until("both mails arrive", () => servers.mailServer.mails.length === 2);
  });

// Each small message counts as 4,800 bytes: 12 of the 60,000 of an address, 15 of the 72,000 of a /56 in 24 hours.
for (const { network, smallMessages, address } of [
  { network: "address", smallMessages: 12, address: () => "2001:db8:7:1::1" },
  { network: "IPv6 /56", smallMessages: 15, address: (n: number) => `2001:db8:8:1${10 + n}::1` },
])
  test(`refuses messages above the share of an ${network} with the support address`, async () => {
    const sender = (n: number) => new Visitor(servers.app.url, { address: address(n) });
    for (let n = 0; n < smallMessages; n += 1) expect((await submit(sender(n), "contact")).status).toBe(200);
    const refused = await submit(sender(smallMessages), "contact");
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "message_cap", message: expect.stringContaining("support@example.com") },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(80_000);
    // Mails are sent after the responses.
    await until("all mails arrive", () => servers.mailServer.mails.length === smallMessages);
  });

test("stores one message for repeated submits with one Idempotency-Key and one captcha token", async () => {
  const visitor = newVisitor();
  const before = (await messages()).length;
  const token = await visitor.solveCaptcha();
  const send = () =>
    visitor.post("/api/contact/submit", { ...forms.contact, token }, { "idempotency-key": "key-1" });
  const responses = await Promise.all([send(), send(), send()]);
  expect(responses.some(({ status }) => status === 200)).toBe(true);
  expect((await send()).status).toBe(200);
  expect((await messages()).length).toBe(before + 1);
  expect(
    await submit(visitor, "contact", { ...forms.contact, subject: "Another one" }, "key-1"),
  ).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
});

test("stores one message if the response is lost, and the visitor then has another address", async () => {
  const before = (await messages()).length;
  const first = newVisitor();
  const body = { ...forms.contact, token: await first.solveCaptcha() };
  const key = randomUUID();
  for (const visitor of [first, newVisitor()])
    expect((await visitor.post("/api/contact/submit", body, { "idempotency-key": key })).status).toBe(200);
  expect((await messages()).length).toBe(before + 1);
});

test("prevents header injection into the mail", async () => {
  const name = "Eve\r\nBcc: victim@example.com";
  await submit(newVisitor(), "contact", {
    ...forms.contact,
    name,
    subject: "Hello\r\nBcc: victim@example.com",
    email: "=?utf-8?q?=0d=0aBcc?=@example.com",
  });
  await until("the mail arrives", () => servers.mailServer.mails.length === 1);
  const [headers = ""] = (servers.mailServer.mails[0] ?? "").split(/\r?\n\r?\n/);
  expect(headers).toMatch(/^Subject: \[contact\] Hello Bcc/m);
  // Mail programs decode no encoded words in addresses.
  expect(headers).toContain("<=?utf-8?q?=0d=0aBcc?=@example.com>");
  expect(headers).not.toMatch(/^Bcc:/im);
});

test("accepts a message whose mail is refused, and mails it later", async () => {
  servers.mailServer.refuse("mailbox unavailable");
  expect((await submit(newVisitor(), "feedback")).status).toBe(200);
  await until("the mail fails", () => servers.app.output().includes("mail failed"));
  servers.mailServer.refuse(null);
  // Ends the pause of one minute.
  const [unmailed] = await messages();
  await servers.store.zadd("{inbox}:v1:unmailed", { score: 1, member: unmailed?.id ?? "" });
  const report = await fetch(`${servers.app.url}/api/cron/reconcile`, {
    headers: { authorization: "Bearer cron-secret-of-the-tests" },
  });
  expect(await report.json()).toMatchObject({ success: true, mailed: 1 });
  expect(servers.mailServer.mails).toHaveLength(1);
});

test("rewrites the file of Redis at the first maintenance run of a process, so that deleted texts leave the disk", async () => {
  const app = await servers.start({ env: { CRON_SECRET: "cron-secret-of-the-tests" } });
  await servers.store.pipeline().set("old", "text-of-yesterday").del("old").exec();
  const headers = { authorization: "Bearer cron-secret-of-the-tests" };
  expect((await fetch(`${app.url}/api/cron/reconcile`, { headers })).status).toBe(200);
  await until("the file has no old text", () => !isOnDisk("text-of-yesterday"));
});

test("lists, shows and deletes messages with npm run inbox", async () => {
  await submit(newVisitor(), "feedback");
  await submit(newVisitor(), "contact", { ...forms.contact, email: "Leaving@münchen.example" });
  const own = (await messages()).find(({ fields }) => fields.email === "Leaving@xn--mnchen-3ya.example");
  expect(await inbox("show", own?.id ?? "")).toContain("How long does it take?");
  const removal = ["delete", "--email", "leaving@münchen.example"];
  const unconfirmed = await runTool("inbox", removal, { REDIS_URL: servers.redis.url });
  expect(unconfirmed).toMatchObject({ status: 1, stderr: expect.stringContaining("add --yes") });
  expect(await inbox("list")).toContain("Leaving@xn--mnchen-3ya.example");
  expect(isOnDisk("Leaving@xn--mnchen-3ya.example")).toBe(true);
  expect(await inbox(...removal, "--yes")).toContain("Deleted 1.");
  await until("the file has no deleted message", () => !isOnDisk("Leaving@xn--mnchen-3ya.example"));
  const listed = await inbox("list");
  expect(listed).not.toContain("Leaving@xn--mnchen-3ya.example");
  expect(listed).toContain("person@example.com");
  await servers.store.exec(["ACL", "SETUSER", "site", "on", ">password", "~*", "+@all", "-bgrewriteaof"]);
  const REDIS_URL = servers.redis.url.replace("//", "//site:password@");
  const kept = await runTool("inbox", ["delete", (await messages())[0]?.id ?? "", "--yes"], { REDIS_URL });
  expect(kept.stdout).toMatch(/Deleted 1\.\n.*still be on the disk.*BGREWRITEAOF/);
});

test("responds 503 while Redis is down, and stores nothing", async () => {
  const visitor = newVisitor();
  const token = await visitor.solveCaptcha();
  const before = (await messages()).length;
  servers.redis.freeze();
  try {
    const response = await visitor.post("/api/contact/submit", { ...forms.contact, token });
    expect(response).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    servers.redis.thaw();
  }
  expect((await messages()).length).toBe(before);
});

test("refuses a wrong captcha at the same cost for Redis, with an empty and a full inbox", async () => {
  const { store } = servers;
  /** Returns the time in commands so far. Unlike CPU time, it contains no work of Redis between commands. */
  const commandMicros = async () => {
    const info = await store.exec<string>(["INFO", "commandstats"]);
    const micros = [...info.matchAll(/^cmdstat_(?!info)[^:]+:calls=\d+,usec=(\d+)/gm)];
    return micros.reduce((sum, [, usec]) => sum + Number(usec), 0);
  };
  const refuse = async (key: string) => {
    const body = { ...forms.contact, token: "wrong" };
    const refused = await newVisitor().post("/api/contact/submit", body, { "idempotency-key": key });
    expect(refused).toMatchObject({ status: 403, body: { code: "captcha_rejected" } });
  };
  /** Returns the time of the fastest of eight rounds, because a busy machine interrupts Redis. */
  const measure = async () => {
    const rounds = [];
    for (let round = 0; round < 8; round += 1) {
      const before = await commandMicros();
      for (let n = 0; n < 40; n += 10)
        await Promise.all(Array.from({ length: 10 }, (_, i) => refuse(`${round}-${n + i}`)));
      rounds.push((await commandMicros()) - before);
    }
    return Math.min(...rounds);
  };
  await store.flushall();
  const empty = await measure();
  const inbox = createInbox(store, false);
  const common = { form: "contact", fields: {}, requestKey: null } as const;
  for (let n = 0; n < inboxLimits.messages; n += 1)
    await inbox.store({ ...common, visitor: { addressHashes: [`address-${n}`], networks: [] } });
  expect(await store.hvals("{inbox}:v1:stored")).toEqual([inboxLimits.bytes]);
  const full = await measure();
  await store.flushall();
  expect(full).toBeLessThan(2 * empty);
  expect(empty).toBeLessThan(2 * full);
});
