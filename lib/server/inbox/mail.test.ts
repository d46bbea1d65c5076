import { createServer, type AddressInfo } from "node:net";
import { startMailServer, type MailServer } from "@/testing/servers/mail-server";
import { startRedis } from "@/testing/servers/redis-server";
import { inboxLimits } from "@/lib/config/limits";
import { RedisClient } from "@/lib/server/redis/client";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { createInbox } from "./inbox";
import { createMailer, mailDigest, mailMessage, mailUnmailed, tryLogin } from "./mail";

/* Tests SMTP passwords, TLS, timeouts and the number of mails. e2e/forms/forms.test.ts tests the sent mails. */

const login = { user: "site", password: "right" };
let server: MailServer | undefined;
afterEach(() => server?.stop());

const mailSettings = (credentials: string, query = "", port = server?.port) => ({
  smtpUrl: `smtp://${credentials}127.0.0.1:${port}${query}`,
  from: "site@example.com",
  to: "operator@example.com",
});

it.each(["", "?ignoreTLS=true", "?requireTLS=false", "?opportunisticTLS=true"])(
  "sends no password to a server without TLS, even with SMTP_URL parameters: %s",
  async (query) => {
    server = await startMailServer(login, { withTls: false });
    expect(await tryLogin(mailSettings("site:right@", query))).toBe("ETLS");
    expect(server?.overheard).toEqual([]);
  },
);

it("sends no password to a server with an untrusted certificate", async () => {
  server = await startMailServer(login);
  expect(await tryLogin(mailSettings("site:right@"))).not.toBeNull();
  expect(server?.overheard).toEqual([]);
});

it.each([false, true])(
  "needs no TLS and no certificate without a password, with TLS: %s",
  async (withTls) => {
    server = await startMailServer(undefined, { withTls });
    expect(await tryLogin(mailSettings(""))).toBeNull();
  },
);

it("times out when the server sends no greeting", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  expect(await tryLogin(mailSettings("", "", port))).toBe("ETIMEDOUT");
  silent.close();
}, 8_000);

it("waits for a server that filters content, which would otherwise get the mail twice", async () => {
  server = await startMailServer(undefined, { answerAfterMs: 11_000 });
  await createMailer(mailSettings("")).sendDigest(2);
  expect(server.mails).toHaveLength(1);
});

it("mails over one connection, and announces the messages above the mails of a day once", async () => {
  server = await startMailServer();
  const redis = await startRedis();
  const requester = createTcpRequester(redis.url);
  try {
    const limits = { ...inboxLimits, mailsPerDay: 3 };
    const client = new RedisClient(requester);
    const inbox = createInbox(client, { retentionDays: 30, mailed: true }, limits);
    const mailer = createMailer(mailSettings(""));
    const fields = { name: "A", email: "person@example.com", message: "Hello.\r\nemail: other@example.com" };
    const visitorAt = (address: string) => ({ addressHashes: [address], networks: [] });
    for (const address of ["a", "b", "c", "d", "e"]) {
      const visitor = visitorAt(address);
      await inbox.store({ form: "contact", fields, visitor, requestKey: null, bodyHash: "h" });
    }
    const messages = await inbox.list();
    // Failed attempts take no mail of the day.
    server.refuse("no");
    for (let n = 0; n < 4; n += 1) expect(await mailMessage(messages[0]!, inbox, mailer)).toBe("failed");
    // A message that the server refuses for good is not mailed again, and stays in the inbox.
    server.refuse("no", 554);
    expect(await mailMessage(messages[4]!, inbox, mailer)).toBe("refused");
    expect(await inbox.countUnmailed()).toBe(4);
    server.refuse(null);
    for (const { id } of messages) await client.zadd("{inbox}:v1:unmailed", { score: 1, member: id });
    expect(await mailUnmailed(inbox, mailer)).toBe(3);
    expect([server.mails.length, await inbox.countUnmailed()]).toEqual([3, 0]);
    expect(server.connections.size).toBe(1);
    expect(server.mails[0]).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(server.mails[0]).toMatch(/\nemail: .*\r\nmessage: .*\r\n {2}email: other/);
    for (let n = 0; n < 2; n += 1) await mailDigest(inbox, mailer);
    expect(server.mails.slice(3)).toEqual([expect.stringContaining("Subject: 2 more messages in the inbox")]);
    expect(await inbox.list()).toHaveLength(5);
  } finally {
    requester.close();
    await redis.stop();
  }
});
