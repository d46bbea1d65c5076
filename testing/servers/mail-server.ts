import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { makeCertificate } from "./certificate";

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/**
 * Starts a mail server that requires this login, or no login. By default it offers TLS only with a login. Content filters
 * accept a mail after some time (`answerAfterMs`).
 */
export async function startMailServer(
  login?: { user: string; password: string },
  { withTls = login !== undefined, answerAfterMs = 0 }: { withTls?: boolean; answerAfterMs?: number } = {},
) {
  /** Accepted mails, the oldest first. */
  const mails: string[] = [];
  /** Passwords that clients sent without TLS. */
  const overheard: string[] = [];
  /** Ids of the connections over which mails came. */
  const connections = new Set<string>();
  const certificate = makeCertificate();
  let refusal: Error | null = null;
  const server = new SMTPServer({
    // Without it, `stop` waits 5 s for the idle connection of the product.
    closeTimeout: 1,
    authOptional: !login,
    allowInsecureAuth: true,
    disabledCommands: withTls ? [] : ["STARTTLS"],
    ...certificate.readServer(),
    // Some servers refuse clients that greet with an address.
    onMailFrom: (_, { hostNameAppearsAs }, done) =>
      done(hostNameAppearsAs.startsWith("[") ? new Error("no") : null),
    onAuth: ({ username, password }, { secure }, done) => {
      if (!secure && password) overheard.push(password);
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(new Error("no"));
    },
    onData: async (stream, { id }, done) => {
      connections.add(id);
      const mail = await text(stream);
      if (refusal !== null) return done(refusal);
      mails.push(mail);
      setTimeout(done, answerAfterMs);
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port));
  });
  return {
    port,
    /** Value of NODE_EXTRA_CA_CERTS for clients that connect with STARTTLS. */
    authority: certificate.certificate,
    overheard,
    mails,
    connections,
    /** Refuses the text of all later mails with this message, by default for a time. Null accepts mails again. */
    refuse: (reason: string | null, responseCode = 450) =>
      void (refusal = reason === null ? null : Object.assign(new Error(reason), { responseCode })),
    async stop() {
      await new Promise<void>((resolve) => server.close(resolve));
      certificate.remove();
    },
  };
}
