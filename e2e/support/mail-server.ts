import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

export interface MailServer {
  readonly port: number;
  /** What it has taken so far, the oldest first. */
  readonly mails: string[];
  /** The words with which mail is refused from now on; null takes it again. */
  refuse(reason: string | null): void;
  stop(): Promise<void>;
}

/** A mail server of the operator's; it wants this login, or none. */
export async function startMailServer(login?: { user: string; password: string }): Promise<MailServer> {
  const mails: string[] = [];
  let refusal: string | null = null;
  const server = new SMTPServer({
    authOptional: !login,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : done(new Error("no")),
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
    mails,
    refuse: (reason) => void (refusal = reason),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
