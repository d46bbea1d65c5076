import { createServer, type AddressInfo } from "node:net";
import { startMailServer, type MailServer } from "@/e2e/support/mail-server";
import { tryLogin } from "./mail";

/* That mail is sent, and how it looks, is in e2e/forms.test.ts. */

const login = { user: "site", password: "right" };
let server: MailServer | undefined;
afterEach(() => server?.stop());

const at = (access: string, query = "", port = server?.port) => ({
  smtpUrl: `smtp://${access}127.0.0.1:${port}${query}`,
  from: "site@example.com",
  to: "operator@example.com",
});

it.each(["", "?ignoreTLS=true", "?requireTLS=false", "?opportunisticTLS=true"])(
  "sends no password to a server without TLS, whatever SMTP_URL ends with: %s",
  async (query) => {
    server = await startMailServer(login, { withTls: false });
    expect(await tryLogin(at("site:right@", query))).toBe("ETLS");
    expect(server?.overheard).toEqual([]);
  },
);

it("sends no password to a server whose certificate nobody vouches for", async () => {
  server = await startMailServer(login);
  expect(await tryLogin(at("site:right@"))).not.toBeNull();
  expect(server?.overheard).toEqual([]);
});

it("asks for no TLS where there is no password to send", async () => {
  server = await startMailServer(undefined, { withTls: false });
  expect(await tryLogin(at(""))).toBeNull();
});

it("gives a server up that does not greet us", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  expect(await tryLogin(at("", "", port))).toBe("ETIMEDOUT");
  silent.close();
}, 8_000);
