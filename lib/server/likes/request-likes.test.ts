import { errorTable } from "@/lib/http/errors";
import type { Delivery } from "@/lib/server/delivery/delivery";
import type { Ledger } from "./ledger";
import { requestLikes, type LikeRequest } from "./request-likes";

const hourMs = 3_600_000;
const at = (hour: number) => new Date(hour * hourMs).toISOString();
const post = { postId: "Cxyz", type: "reel" } as const;
const request = { flow: { id: "flow", post }, post } as LikeRequest;
const order = {
  id: "o-1",
  postId: "Cxyz",
  postType: "reel",
  likes: 50,
  closedAt: 0,
  cooldownUntil: 4 * hourMs,
};

/** Requests likes from a ledger that replies with this. */
function reply(reservation: object) {
  const ledger = {
    reserve: () => Promise.resolve({ usage: {}, now: 0, ...reservation }),
  } as unknown as Ledger;
  return requestLikes(request, ledger, {} as Delivery);
}

it.each([
  ["3 h later", 3 * hourMs, 3_600],
  ["0.5 ms before the end", 4 * hourMs - 0.5, 1],
  ["after the end", 5 * hourMs, 1],
  ["by a clock that was set back", -hourMs, 14_400],
])(
  "repeats the receipt of an accepted order %s, with its cooldown in whole seconds",
  async (_, readAt, seconds) => {
    expect(await reply({ kind: "accepted", order: { ...order, state: "accepted", readAt } })).toMatchObject({
      receipt: {
        reference: "o-1",
        postId: "Cxyz",
        type: "reel",
        likes: 50,
        acceptedAt: at(0),
        nextAvailable: at(4),
      },
      cooldownSeconds: seconds,
    });
  },
);

it.each([
  [
    { kind: "refused", order: { ...order, state: "refused", message: "Words." } },
    { code: "delivery_refused", message: "Words." },
  ],
  [
    { kind: "refused", order: { ...order, state: "refused", message: null } },
    { message: errorTable.delivery_refused.message },
  ],
  [{ kind: "abandoned", order: { ...order, state: "abandoned" } }, { code: "order_abandoned" }],
  [
    { kind: "other_pending" },
    { code: "order_pending", retryAfterSeconds: 15, message: expect.stringContaining("another post") },
  ],
  [{ kind: "key_reused" }, { code: "idempotency_key_reused" }],
  [{ kind: "flow_used" }, { code: "flow_required" }],
  [
    { kind: "paced", waitUntil: hourMs, waitSeconds: 9 },
    { code: "paced", retryAfterSeconds: 9, nextLikesAt: at(1) },
  ],
  [
    { kind: "cooldown", waitUntil: hourMs, waitSeconds: 9 },
    { code: "cooldown", retryAfterSeconds: 9, nextLikesAt: undefined },
  ],
])("rejects after the reply %j", async (reservation, error) => {
  await expect(reply(reservation)).rejects.toMatchObject(error);
});

it("has the HTTP statuses that clients expect", () => {
  const codes: Record<number, string[]> = {};
  for (const [code, { status }] of Object.entries(errorTable)) (codes[status] ??= []).push(code);
  expect(codes).toEqual({
    400: ["invalid_json"],
    401: ["unauthorized"],
    403: ["captcha_rejected", "cross_site", "flow_required"],
    404: ["not_found"],
    408: ["request_timeout"],
    409: ["in_progress", "order_abandoned", "post_mismatch"],
    413: ["body_too_large"],
    415: ["unsupported_media_type"],
    422: ["delivery_refused", "idempotency_key_reused", "invalid_request", "post_blocked"],
    429: ["address_cap", "cooldown", "daily_cap", "daily_limit", "message_cap", "paced", "rate_limited"],
    500: ["internal"],
    503: ["captcha_unavailable", "inbox_full", "lookup_unavailable", "order_pending", "service_unavailable"],
  });
});
