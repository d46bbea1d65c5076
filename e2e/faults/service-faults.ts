import { inTime } from "../support/in-time";
import { startLookupServer } from "../support/servers/lookup-servers";
import type { WebhookReply } from "../support/servers/webhook-receiver";
import { until } from "../support/until";
import { Visitor } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { audit, type Findings, type Scenario } from "./audit";
import type { Fixture } from "./fixture";

export const serviceFaults: Scenario[] = [
  { name: "webhook misbehaves", run: webhookMisbehaves },
  { name: "lookup and mail server hang", run: lookupAndMailHang },
];

/** First replies of a delivery service, and the outcome for the visitor. e2e/flow/like.test.ts tests the other replies. */
const replies: { name: string; reply: WebhookReply; accepted: boolean }[] = [
  { name: "a late reply", reply: { delayMs: 1_400 }, accepted: false },
  { name: "a truncated body", reply: "cut", accepted: false },
  { name: "a redirect", reply: "redirect", accepted: false },
  { name: "200 with a page", reply: "junk", accepted: true },
  { name: "200 with other JSON", reply: { body: { reference: { no: "text" } } }, accepted: true },
  { name: "204", reply: { status: 204 }, accepted: true },
  { name: "200 with 2 MB", reply: { body: { text: "x".repeat(2_000_000) } }, accepted: true },
];

/** The delivery service sends each of these replies to the first calls of some orders. */
async function webhookMisbehaves(fixture: Fixture): Promise<Findings> {
  const server = await fixture.startServer({ env: { RECONCILE_EVERY_SECONDS: "0" } });
  const outcomes: Record<string, boolean> = {};
  for (const { name, reply, accepted } of replies) {
    const visitors = await fixture.visitors(server, 3);
    fixture.serve(() => reply);
    const responses = await Promise.all(visitors.map((visitor) => fixture.like(visitor)));
    fixture.faults += visitors.length;
    outcomes[`${name} means ${accepted ? "accepted" : "pending"}`] = responses.every((response) =>
      accepted ? response?.status === 200 : response?.body.code === "order_pending",
    );
  }
  fixture.serve();
  await fixture.reconcile(server);
  const { requests } = fixture.receiver;
  return audit(fixture, {
    orders: 3 * replies.length,
    expected: {
      ...outcomes,
      "no redirect is followed": requests.every(({ path }) => path !== "/elsewhere"),
      "every call is signed": requests.every(({ verified }) => verified),
    },
  });
}

/** Lookup and mail server accept connections, and never respond. */
async function lookupAndMailHang(fixture: Fixture): Promise<Findings> {
  const lookups = await startLookupServer();
  // A mail client waits for a greeting, which an HTTP server does not send.
  const mail = await startLookupServer();
  fixture.atClose(() => lookups.stop());
  fixture.atClose(() => mail.stop());
  const server = await fixture.startServer({
    env: {
      POST_LOOKUP: "http",
      POST_LOOKUP_URL: lookups.url,
      POST_LOOKUP_SECRET: "secret-of-the-lookup",
      SMTP_URL: mail.url.replace(/^http/, "smtp"),
      MAIL_FROM: "site@example.com",
      INBOX_EMAIL: "operator@example.com",
    },
  });
  const lookUp = async () => {
    const visitor = await newVisitorInFlow(server.url);
    return fixture.send(() => visitor.get("/api/instagram/post-details"));
  };
  lookups.respond("hang");
  fixture.faults += 2;
  const orders = fixture.traffic(await fixture.visitors(server, 5));
  const hanging = await Promise.all([lookUp(), lookUp(), lookUp()]);
  await orders;

  const visitor = new Visitor(server.url);
  const token = await visitor.solveCaptcha();
  const startedAt = performance.now();
  const message = await fixture.sendMessage(visitor, token);
  const seconds = (performance.now() - startedAt) / 1_000;
  const stored = await fixture.redis.zcard("{inbox}:v1:index");
  const unmailed = await fixture.redis.zcard("{inbox}:v1:unmailed");
  await until("the server connects to the mail server", () => mail.connections() > 0);
  lookups.respond({ status: 200, body: { status: "public" } });
  const later = await lookUp();
  return audit(fixture, {
    orders: 5,
    expected: {
      "a hanging lookup means 503": hanging.every((response) => response?.status === 503),
      "the lookup works again": later?.body.success === true,
      "the form responds in time": message?.status === 200 && inTime(seconds),
      "the message is stored and still to be mailed": stored === 1 && unmailed === 1,
    },
  });
}
