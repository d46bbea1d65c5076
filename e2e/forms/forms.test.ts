import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { inboxLimits } from "@/lib/config/limits";
import { expect, test, useServers } from "@/testing/test";
import { until } from "@/testing/until";
import { startMailServer, type MailServer } from "@/testing/servers/mail-server";
import { runTool } from "@/testing/operator-tools";
import { Visitor } from "@/testing/visitor";
import { goodInput } from "@/testing/good-input";

const mailEnv = ({ port }: MailServer) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: "site@example.com",
  SUPPORT_EMAIL: "operator@example.com",
  CRON_SECRET: "cron-secret-of-the-tests",
});
const servers = useServers({ redisSettings: ["--appendonly", "yes"] }, async (servers) => {
  const mailServer = await servers.keep(startMailServer());
  return { mailServer, app: await servers.start({ env: mailEnv(mailServer) }) };
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
const reconcile = async (url: string) =>
  (await new Visitor(url).get("/api/cron/reconcile", { authorization: "Bearer cron-secret-of-the-tests" }))
    .body;

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

test("stores one message for repeated submits, also from another address, and refuses another message with the key", async () => {
  const [visitor, moved] = [newVisitor(), newVisitor()];
  const before = (await messages()).length;
  const key = randomUUID();
  const body = { ...forms.contact, token: await visitor.solveCaptcha() };
  const send = (from: Visitor) => from.post("/api/contact/submit", body, { "idempotency-key": key });
  const responses = await Promise.all([send(visitor), send(visitor), send(visitor)]);
  expect(responses.some(({ status }) => status === 200)).toBe(true);
  for (const from of [visitor, moved]) expect((await send(from)).status).toBe(200);
  expect((await messages()).length).toBe(before + 1);
  const other = await submit(visitor, "contact", { ...forms.contact, subject: "Another one" }, key);
  expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
});

test("names each field with invalid input, and its message", async () => {
  const refused = await submit(newVisitor(), "contact", { ...forms.contact, name: "A", category: "x" });
  const fields = { name: "Name must be at least 2 characters", category: "Please select a category" };
  expect(refused).toMatchObject({ status: 422, body: { code: "invalid_request", fields } });
});

test("prevents header injection into the mail", async () => {
  await submit(newVisitor(), "contact", {
    ...forms.contact,
    name: "Eve\r\nBcc: victim@example.com",
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
  expect(await reconcile(servers.app.url)).toMatchObject({ success: true, mailed: 1 });
  expect(servers.mailServer.mails).toHaveLength(1);
});

test("finishes a mail when the server stops, and leaves it to no other process before", async () => {
  const slow = await servers.keep(startMailServer(undefined, { answerAfterMs: 3_000 }));
  const app = await servers.start({ database: 1, env: mailEnv(slow) });
  const store = await servers.openRedis(`${servers.redis.url}/1`);
  const waiting = () => store.zrange<number[]>("{inbox}:v1:unmailed", 0, -1, { withScores: true });
  await submit(new Visitor(app.url), "feedback");
  await until("the mail arrives", () => slow.mails.length > 0);
  expect((await waiting())[1]! - Date.now()).toBeGreaterThan(60_000);
  await app.stop();
  expect(await waiting()).toEqual([]);
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
