import { limits, retention } from "@/lib/config/limits";
import { isPostId, parseInstagramLink } from "@/lib/flow/instagram-link";
import { likeLink } from "@/lib/flow/post-links";
import { getDelivery } from "@/lib/server/delivery/delivery";
import { getLedgerAdmin, getLedger } from "@/lib/server/likes";
import type { LimitChange, Order } from "@/lib/server/likes/ledger-replies";
import { reconcile } from "@/lib/server/likes/deliver-orders";
import { log } from "@/lib/server/log/log";
import { confirmed, escapeControls, fail, parseArguments, print, printCount, runCommand } from "./terminal";

/* npm run ledger: shows the ledger, changes today's limit, delivers open orders, and exports accepted orders. */

const usage = `Usage: npm run ledger -- <command>
  budget                      today's likes: charged, left, the limit (the default command)
  order <reference>           one order
  pending                     open orders, the next one due first
  reconcile [--yes]           delivers the open orders that are due now, like the timer
  limit <likes> [--reason <words>] [--yes]
                              sets the limit for the rest of this GMT day
  limit configured [--yes]    restores DAILY_LIKE_LIMIT
  changes                     limit changes of the last ${retention.orderDays} days
  block <code or link>        refuses all further requests for a post, for example because its owner asks for it
  unblock <code or link>      accepts requests for the post again
  blocked                     the codes of all blocked posts
  csv [--from <day>] [--to <day>]
                              accepted orders of the last ${retention.orderDays} days; days as 2026-01-31, GMT, the last one included`;

const { positionals, values } = parseArguments(usage, {
  allowPositionals: true,
  options: {
    yes: { type: "boolean", default: false },
    reason: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
  },
});
const dayMs = 86_400_000;
const maxReasonLength = 200;
const number = new Intl.NumberFormat("en-US");

const block = (text?: string) => changeBlock(true, text, "gets no likes from now on", "was already blocked");
const unblock = (text?: string) => changeBlock(false, text, "can get likes again", "was not blocked");

runCommand(usage, positionals, {
  ...{ budget, order, pending, limit, changes, block, unblock, blocked, csv },
  reconcile: deliverOpenOrders,
});

async function budget(): Promise<number> {
  const { likesUsed, totalLimit, resetsAt, open } = await getLedgerAdmin().overview();
  printFields({
    "Charged today": `${number.format(likesUsed)} likes, reservations included`,
    Left: number.format(Math.max(0, totalLimit - likesUsed)),
    "Today's limit": number.format(totalLimit),
    "Resets at": formatTime(resetsAt),
    "Open orders": number.format(open),
  });
  return 0;
}

async function order(argument = ""): Promise<number> {
  const reference = argument.trim().toUpperCase();
  if (!reference) return fail(usage);
  const found = await getLedgerAdmin().find(reference);
  if (!found)
    return fail(`There is no order ${reference}; records are kept for ${retention.orderDays} days.`);
  const { likes, postType, postId, closedAt, cooldownUntil, providerReference, message } = found;
  printFields({
    Order: found.id,
    State: found.state,
    For: `${likes} likes, ${postType} ${postId}`,
    Made: formatTime(found.createdAt),
    Tries: String(found.tries),
    Closed: closedAt && formatTime(closedAt),
    "Next request": cooldownUntil && formatTime(cooldownUntil),
    "Service's name": providerReference && escapeControls(providerReference),
    "Refusal text": message && escapeControls(message),
  });
  return 0;
}

function printFields(fields: Record<string, string | 0 | null>): void {
  for (const [name, value] of Object.entries(fields)) if (value) print(`${name.padEnd(16)}${value}`);
}

async function pending(): Promise<number> {
  const open = await getLedgerAdmin().listOpen();
  for (const { id, state, createdAt, readAt, tries } of open) {
    const minutes = Math.floor((readAt - createdAt) / 60_000);
    print(`${id}  ${state.padEnd(8)}  ${formatTime(createdAt)}  ${minutes} min old, tries: ${tries}`);
  }
  printCount((await getLedgerAdmin().overview()).open, "open order");
  return 0;
}

async function deliverOpenOrders(): Promise<number> {
  const { open } = await getLedgerAdmin().overview();
  const question = `Send the open orders that are due (of ${open}) to the delivery service?`;
  if (!(await confirmed(question, values.yes))) return fail("Nothing was sent.");
  const { tried, accepted, refused, stillPending, abandoned } = await reconcile(getLedger(), getDelivery());
  print(
    `Tried ${tried}: ${accepted} accepted, ${refused} refused, ${stillPending} still open. Abandoned: ${abandoned}.`,
  );
  if (stillPending > 0) print("The reasons are in the lines of the log above.");
  return 0;
}

async function limit(wanted?: string): Promise<number> {
  const likes = wanted === "configured" ? null : Number(wanted?.replaceAll(/[,_]/g, ""));
  if (likes !== null && !(Number.isSafeInteger(likes) && likes >= limits.likesPerRequest)) {
    return fail(
      `A limit is a whole number of likes, ${limits.likesPerRequest} or more, or the word configured.\n\n${usage}`,
    );
  }
  const reason = values.reason && escapeControls(values.reason).trim();
  if (reason && reason.length > maxReasonLength)
    return fail(`A reason has ${maxReasonLength} characters at most.`);
  const { totalLimit, likesUsed } = await getLedgerAdmin().overview();
  const target = likes === null ? "the configured limit" : `${number.format(likes)} likes`;
  const question = `Change today's limit from ${number.format(totalLimit)} (${number.format(likesUsed)} are charged) to ${target}?`;
  if (!(await confirmed(question, values.yes))) return fail("Nothing was changed.");
  const change = await getLedgerAdmin().changeLimit(likes, reason);
  log.warn("limit changed", { limitBefore: change.before, limitAfter: change.after });
  print(formatChange(change));
  return 0;
}

async function changes(): Promise<number> {
  const all = await getLedgerAdmin().limitChanges();
  for (const change of all) print(formatChange(change));
  printCount(all.length, "change");
  return 0;
}

async function changeBlock(wanted: boolean, text = "", changed: string, unchanged: string) {
  if (positionals.length > 2) return fail(`Name one post, as one word.\n\n${usage}`);
  const link = parseInstagramLink(text);
  const postId = isPostId(text) ? text : link.ok && link.post.postId;
  if (!postId) return fail(`That is neither a code nor the link of a post or reel.\n\n${usage}`);
  print(`${likeLink(postId)} ${(await getLedgerAdmin().setBlocked(postId, wanted)) ? changed : unchanged}.`);
  return 0;
}

async function blocked(): Promise<number> {
  const codes = await getLedgerAdmin().listBlocked();
  for (const code of codes) print(code);
  printCount(codes.length, "blocked post");
  return 0;
}

async function csv(): Promise<number> {
  const from = values.from === undefined ? 0 : parseDay(values.from);
  const until = values.to === undefined ? Infinity : parseDay(values.to) + dayMs;
  if (Number.isNaN(from) || Number.isNaN(until)) return fail(`A day looks like 2026-01-31.\n\n${usage}`);
  const orders: (Order & { acceptedAt: number })[] = [];
  for await (const accepted of getLedgerAdmin().listAccepted()) {
    const acceptedAt = accepted.closedAt ?? 0;
    if (acceptedAt >= from && acceptedAt < until) orders.push({ ...accepted, acceptedAt });
  }
  orders.sort((a, b) => a.acceptedAt - b.acceptedAt);
  const rows = orders.map(({ id, createdAt, acceptedAt, postType, postId, likes, providerReference }) => [
    ...[id, toIso(createdAt), toIso(acceptedAt)],
    ...[postType, postId, String(likes), escapeControls(providerReference ?? "")],
  ]);
  const head = ["reference", "made", "accepted", "type", "post", "likes", "service_reference"];
  for (const row of [head, ...rows]) process.stdout.write(`${row.map(quote).join(",")}\r\n`);
  return 0;
}

/** Quotes a cell as in RFC 4180. A quote at its start prevents a spreadsheet from running it as a formula. */
function quote(cell: string): string {
  const text = /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function formatChange({ at, day, before, after, reason }: LimitChange): string {
  const change = `${number.format(before)} -> ${number.format(after)}`;
  const suffix = reason ? `: ${escapeControls(reason)}` : "";
  return `${formatTime(at)}  limit of ${toIso(day * dayMs).slice(0, 10)}  ${change}${suffix}`;
}

function parseDay(text: string): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
}

function formatTime(milliseconds: number): string {
  return `${toIso(milliseconds).slice(0, 16).replace("T", " ")} GMT`;
}

function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
