import { inTime } from "../support/in-time";
import { startLookupServer } from "../support/servers/lookup-servers";
import { until } from "../support/until";
import type { ApiAnswer } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import type { WebhookReply } from "../support/servers/webhook-receiver";
import { audit, type Findings } from "./audit";
import type { Shop } from "./shop";

/** What a delivery service may do to its first call of an order, and what the visitor is told then. */
const misbehaviours: {
  name: string;
  reply: WebhookReply;
  answer: "accepted" | "order_pending" | "delivery_refused";
}[] = [
  { name: "slow", reply: { delayMs: 1_400 }, answer: "order_pending" },
  { name: "broken", reply: "error", answer: "order_pending" },
  { name: "silent", reply: "hang", answer: "order_pending" },
  { name: "hanging up", reply: "drop", answer: "order_pending" },
  { name: "closing in the middle of the body", reply: "cut", answer: "order_pending" },
  { name: "redirecting", reply: "redirect", answer: "order_pending" },
  { name: "refusing", reply: "refuse", answer: "delivery_refused" },
  { name: "lying: 200 with a page", reply: "junk", answer: "accepted" },
  { name: "lying: 200 with other JSON", reply: { body: { reference: { no: "text" } } }, answer: "accepted" },
  { name: "saying nothing: 204", reply: { status: 204 }, answer: "accepted" },
  { name: "talkative: 2 MB", reply: { body: { text: "x".repeat(2_000_000) } }, answer: "accepted" },
];

/** Each misbehaviour meets some visitors at their first call; afterwards the service keeps its word. */
export async function webhookMisbehaves(shop: Shop): Promise<Findings> {
  const server = await shop.startServer({ env: { RECONCILE_EVERY_SECONDS: "0" } });
  const told: Record<string, boolean> = {};
  for (const { name, reply, answer: expected } of misbehaviours) {
    const visitors = await shop.visitors(server, 3);
    shop.serve(() => reply);
    const answers = await Promise.all(visitors.map((visitor) => shop.like(visitor)));
    shop.faults += visitors.length;
    told[`${name} is told as ${expected}`] = answers.every((answer) => outcomeOf(answer) === expected);
  }
  shop.serve();
  await shop.reconcile(server);
  const followed = shop.receiver.requests.some(({ path }) => path === "/elsewhere");
  const unsigned = shop.receiver.requests.some(({ verified }) => !verified);
  const refused = 3 * misbehaviours.filter(({ answer }) => answer === "delivery_refused").length;
  return audit(shop, {
    expected: {
      ...told,
      "no redirect is followed": !followed,
      "every call is signed": !unsigned,
      "all but the refused are accepted": shop.received.ids.size === 3 * misbehaviours.length - refused,
    },
  });
}

function outcomeOf(answer: ApiAnswer | null): string | undefined {
  return answer?.status === 200 ? "accepted" : answer?.body.code;
}

/** The lookup does not answer, or never finishes; the mail server accepts connections and says nothing. */
export async function lookupAndMailHang(shop: Shop): Promise<Findings> {
  const lookups = await startLookupServer();
  // A web server waits for a request, and a mail client for a greeting.
  const mail = await startLookupServer();
  shop.atClose(() => lookups.stop());
  shop.atClose(() => mail.stop());
  const server = await shop.startServer({
    env: {
      POST_LOOKUP: "http",
      POST_LOOKUP_URL: lookups.url,
      POST_LOOKUP_SECRET: "secret-of-the-lookup",
      SMTP_URL: mail.url.replace(/^http/, "smtp"),
      MAIL_FROM: "site@example.com",
      INBOX_EMAIL: "operator@example.com",
    },
  });
  const person = shop.newPerson(server);
  // Each of a flow of its own, which has few of them.
  const details = async () => {
    const visitor = await newVisitorInFlow(server.url);
    return shop.send(() => visitor.get("/api/instagram/post-details"));
  };
  const token = await person.solveCaptcha();

  const lookupSeconds: number[] = [];
  const lookedUp: (ApiAnswer | null)[] = [];
  for (const reply of ["hang", "drip"] as const) {
    lookups.respond(reply);
    shop.faults += 1;
    const startedAt = performance.now();
    lookedUp.push(...(await Promise.all([details(), details(), details()])));
    lookupSeconds.push((performance.now() - startedAt) / 1_000);
  }
  // Whoever had his post looked up before is not held up.
  await shop.traffic(await shop.visitors(server, 5));

  const sentAt = performance.now();
  shop.faults += 1;
  const sent = await shop.sendMessage(person, token);
  const mailSeconds = (performance.now() - sentAt) / 1_000;
  const kept = await shop.redis.zcard("{inbox}:v1:index");
  const unmailed = await shop.redis.zcard("{inbox}:v1:unmailed");
  // The timer goes on finishing orders while mail hangs.
  await until("mail is tried", () => mail.connections() > 0);
  lookups.respond({ status: 200, body: { status: "public" } });
  const later = await details();
  return audit(shop, {
    expected: {
      "a hanging lookup means 503": lookedUp.every((answer) => answer?.status === 503),
      "within 2 s": lookupSeconds.every(inTime),
      "the lookup works again": later?.body.success === true,
      "a hanging mail server does not hold up the visitor": sent?.status === 200 && inTime(mailSeconds),
      "the message is kept, and still to be mailed": kept === 1 && unmailed === 1,
      "all orders are accepted": shop.received.ids.size === 5,
    },
  });
}
