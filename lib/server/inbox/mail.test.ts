import { createServer, type AddressInfo } from "node:net";
import { startMailServer, type MailServer } from "@/e2e/support/servers/mail-server";
import { tryLogin } from "./mail";

/* Tests SMTP passwords, TLS and timeouts. e2e/forms/forms.test.ts tests the sent mails. */

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

it("does not require TLS if no password is configured", async () => {
  server = await startMailServer(undefined, { withTls: false });
  expect(await tryLogin(mailSettings(""))).toBeNull();
});

it("times out when the server sends no greeting", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  expect(await tryLogin(mailSettings("", "", port))).toBe("ETIMEDOUT");
  silent.close();
}, 8_000);
