import { isSigned, startReceiver, type WebhookReply } from "@/testing/servers/webhook-receiver";
import { webhookSecret } from "@/testing/servers/live-delivery";
import { createWebhook } from "./delivery";

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const page = "<!doctype html><title>Log in</title>";
const html = { "content-type": "text/html" };
const accepted = "accepted";
const notAccepted = (status: number) =>
  `HTTP ${status} with a body that is neither empty nor JSON of at most 16 KiB`;

// docs/delivery.md lists these rules.
it.each<readonly [title: string, reply: WebhookReply, result: string]>([
  ["no body", {}, accepted],
  ["white space", { body: " \r\n" }, accepted],
  ["no body, as a page", { headers: html }, accepted],
  ["a reference", { body: { reference: "r-1" } }, "accepted r-1"],
  ["a reference, as a page", { body: { reference: "r-1" }, headers: html }, "accepted r-1"],
  ["a reference behind a byte order mark", { body: '\ufeff{"reference":"r-1"}\n' }, "accepted r-1"],
  ["a reference that is no text", { body: { reference: {} } }, accepted],
  ["JSON that is no object", { body: '"OK"' }, accepted],
  ["16 KiB of JSON", { body: JSON.stringify("x".repeat(16_382)) }, accepted],
  ["more JSON than that", { body: JSON.stringify("x".repeat(16_383)) }, notAccepted(200)],
  ["a page", { body: page, headers: html }, notAccepted(200)],
  ["a page, as JSON", { body: page, status: 202 }, notAccepted(202)],
  ["text", { body: "OK" }, notAccepted(200)],
  ["broken JSON", { body: '{"reference":"r-1"' }, notAccepted(200)],
  ["409 without a body", "conflict", accepted],
  ["409 with JSON", { status: 409, body: { reference: "r-1" } }, "accepted r-1"],
  // Cloudflare sends such a page if it cannot resolve the service's host.
  ["409 with a page", { status: 409, body: page }, notAccepted(409)],
  ["422 with a page", { status: 422, body: page }, "refused"],
  ...[400, 405, 499].map((n) => [`${n}`, { status: n }, "refused"] as const),
  // 401, 403, 404 and 410 come from a wrong secret or address. They do not refuse the post.
  ...[408, 425, 429, 401, 403, 404, 410, 300, 500].map((n) => [`${n}`, { status: n }, `HTTP ${n}`] as const),
  ["a body that ends early", "cut", "UND_ERR_SOCKET"],
])("reads a response with %s", async (_title, reply, result) => {
  receiver.respond(reply);
  const webhook = createWebhook({ url: receiver.url, secret: webhookSecret, timeoutMs: 5_000 });
  const order = { id: "0000-0000-0000", postId: "Cxyz", postType: "post" as const, likes: 50, createdAt: 0 };
  const outcome = await webhook.send(order);
  expect(receiver.requests.map(isSigned)).not.toContain(false);
  const { reference, reason } = { reference: undefined, reason: undefined, ...outcome };
  expect(reason ?? [outcome.outcome, reference].filter(Boolean).join(" ")).toBe(result);
});
