import { createServer, type AddressInfo } from "node:net";
import { startMailServer, type MailServer } from "@/testing/servers/mail-server";
import { useTransport } from "@/testing/test-transports";
import { inboxLimits } from "@/lib/config/limits";
import { createInbox, type InboxMessage } from "./inbox";
import { createMailer, mailUnmailed, tryLogin } from "./mail";

/* Tests SMTP passwords, TLS, timeouts and the number of mails. e2e/forms/forms.test.ts tests the sent mails. */

const login = { user: "site", password: "right" };
const transport = useTransport();
let server: MailServer | undefined;
afterEach(() => server?.stop());

const mailSettings = (credentials: string, query = "", port = server?.port) => ({
  smtpUrl: `smtp://${credentials}127.0.0.1:${port}${query}`,
  from: "site@example.com",
  to: "operator@example.com",
});

it.each<[credentials: string, query: string, withTls: boolean, error: unknown]>([
  ["site:right@", "", false, "ETLS"],
  // Parameters of SMTP_URL do not turn TLS off.
  ["site:right@", "?ignoreTLS=true", false, "ETLS"],
  ["site:right@", "?requireTLS=false", false, "ETLS"],
  ["site:right@", "?opportunisticTLS=true", false, "ETLS"],
  // The client does not trust the certificate of the server. Without a password, this does not matter.
  ["site:right@", "", true, expect.any(String)],
  ["", "", true, null],
  ["", "", false, null],
])(
  "sends no password that others could read: login %j, %j, TLS %s",
  async (credentials, query, withTls, error) => {
    server = await startMailServer(credentials ? login : undefined, { withTls });
    expect(await tryLogin(mailSettings(credentials, query))).toEqual(error);
    expect(server?.overheard).toEqual([]);
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
  const fields = { name: "A", email: "person@example.com" };
  await createMailer(mailSettings(""))({ id: "m1", form: "contact", receivedAt: "", fields });
  expect(server.mails).toHaveLength(1);
});

it("mails over one connection, and lets the messages above the mails of a day wait", async () => {
  server = await startMailServer();
  const client = transport.redis;
  const limits = { ...inboxLimits, mailsPerDay: 3 };
  const inbox = createInbox(client, true, limits);
  const mailer = createMailer(mailSettings(""));
  const fields = { name: "A", email: "person@example.com", message: "Hello.\r\nemail: other@example.com" };
  const visitorAt = (address: string) => ({ addressHashes: [address], networks: [] });
  for (const address of ["a", "b", "c", "d", "e"])
    await inbox.store({ form: "contact", fields, visitor: visitorAt(address), requestKey: null });
  const ids = (await inbox.list()).map(({ id }: InboxMessage) => id);
  const endPauses = async () => {
    for (const id of ids) await client.zadd("{inbox}:v1:unmailed", { xx: true }, { score: 1, member: id });
  };
  // Failed attempts take no mail of the day. Two failures in a row end a run.
  server.refuse("no");
  const refusedSender = { ...mailSettings(""), from: "site@[127.0.0.1]" };
  for (const attempt of [mailer, createMailer(refusedSender)]) {
    await endPauses();
    expect(await mailUnmailed(inbox, attempt)).toBe(0);
    expect([await inbox.countUnmailed(), await client.zcard("{inbox}:v1:mails-taken")]).toEqual([5, 0]);
  }
  // A message that the server refuses for good is not mailed again, and stays in the inbox.
  server.refuse("no", 554);
  for (const member of ids.slice(1)) await client.zadd("{inbox}:v1:unmailed", { score: 9e15, member });
  await client.zadd("{inbox}:v1:unmailed", { score: 1, member: ids[0]! });
  expect(await mailUnmailed(inbox, mailer)).toBe(0);
  expect(await inbox.countUnmailed()).toBe(4);
  server.refuse(null);
  await endPauses();
  expect(await mailUnmailed(inbox, mailer)).toBe(3);
  expect([server.mails.length, await inbox.countUnmailed()]).toEqual([3, 1]);
  expect(server.connections.size).toBe(1);
  expect(server.mails[0]).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(server.mails[0]).toMatch(/\nemail: .*\r\nmessage: .*\r\n {2}email: other/);
  expect(await inbox.list()).toHaveLength(5);
});
