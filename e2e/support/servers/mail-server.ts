import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { makeCertificate } from "./certificate";

export interface MailServer {
  readonly port: number;
  /** NODE_EXTRA_CA_CERTS for whoever is to trust it, by STARTTLS. */
  readonly authority: string;
  /** Passwords that came in the clear. */
  readonly overheard: string[];
  /** What it has taken so far, the oldest first. */
  readonly mails: string[];
  /** The words with which mail is refused from now on; null takes it again. */
  refuse(reason: string | null): void;
  stop(): Promise<void>;
}

/** A mail server of the operator's; it wants this login, or none. Without TLS it hears the login in the clear. */
export async function startMailServer(
  login?: { user: string; password: string },
  { withTls = login !== undefined }: { withTls?: boolean } = {},
): Promise<MailServer> {
  const mails: string[] = [];
  const overheard: string[] = [];
  const certificate = makeCertificate();
  let refusal: string | null = null;
  const server = new SMTPServer({
    authOptional: !login,
    allowInsecureAuth: true,
    disabledCommands: withTls ? [] : ["STARTTLS"],
    ...certificate.readServer(),
    onAuth: ({ username, password }, { secure }, done) => {
      if (!secure && password) overheard.push(password);
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(new Error("no"));
    },
    onData: async (stream, _session, done) => {
      const mail = await text(stream);
      if (refusal !== null) return done(new Error(refusal));
      mails.push(mail);
      done();
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port));
  });
  return {
    port,
    authority: certificate.authority,
    overheard,
    mails,
    refuse: (reason) => void (refusal = reason),
    async stop() {
      await new Promise<void>((resolve) => server.close(resolve));
      certificate.remove();
    },
  };
}
