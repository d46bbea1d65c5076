import { parseArgs } from "node:util";
import { limits, retention } from "@/lib/config/limits";
import { getDelivery } from "@/lib/server/delivery";
import { getLedgerAdmin, getLedger } from "@/lib/server/likes";
import type { LimitChange, Order } from "@/lib/server/likes/ledger-replies";
import { reconcile } from "@/lib/server/likes/reconcile";
import { log } from "@/lib/server/ops/log";
import { confirmed, fail, oneSafeText, print, runTool } from "./lib/terminal";

/* npm run ledger: what the ledger holds, and what may be done to it by hand. */

const usage = `Usage: npm run ledger -- <command>
  budget                      today's likes: charged, left, the limit (the default command)
  order <reference>           one order
  pending                     open orders, the next one due first
  reconcile [--yes]           delivers the open orders that are due now, like the timer
  limit <likes> [--reason <words>] [--yes]
                              sets the limit for the rest of this GMT day
  limit configured [--yes]    restores DAILY_LIKE_LIMIT
  changes                     limit changes of the last ${retention.orderDays} days
  csv [--from <day>] [--to <day>]
                              accepted orders of the last ${retention.orderDays} days; days as 2026-01-31, GMT, the last one included`;

const { positionals, values } = parseArgs({
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

runTool(() => run(positionals[0] ?? "budget", positionals[1]));

/** Runs a command and returns the exit status. */
async function run(command: string, argument: string | undefined): Promise<number> {
  switch (command) {
    case "budget":
      return budget();
    case "order":
      return argument ? order(argument.trim().toUpperCase()) : fail(usage);
    case "pending":
      return pending();
    case "reconcile":
      return tryOpenOrders();
    case "limit":
      return limit(argument);
    case "changes":
      return changes();
    case "csv":
      return csv();
    default:
      return fail(usage);
  }
}

async function budget(): Promise<number> {
  const { likesUsed, totalLimit, resetsAt, open } = await getLedgerAdmin().overview();
  print(`Charged today   ${number.format(likesUsed)} likes, reservations included`);
  print(`Left            ${number.format(Math.max(0, totalLimit - likesUsed))}`);
  print(`Today's limit   ${number.format(totalLimit)}`);
  print(`Resets at       ${timeOf(resetsAt)}`);
  print(`Open orders     ${number.format(open)}`);
  return 0;
}

async function order(reference: string): Promise<number> {
  const found = await getLedgerAdmin().find(reference);
  if (!found)
    return fail(
      `There is no order ${oneSafeText(reference)}; records are kept for ${retention.orderDays} days.`,
    );
  const { id, state, likes, postType, postId, createdAt, tries, closedAt, cooldownUntil } = found;
  print(`Order           ${id}`);
  print(`State           ${state}`);
  print(`For             ${likes} likes, ${postType} ${postId}`);
  print(`Made            ${timeOf(createdAt)}`);
  print(`Tries           ${tries}`);
  if (closedAt !== null) print(`Closed          ${timeOf(closedAt)}`);
  if (cooldownUntil !== null) print(`Next request    ${timeOf(cooldownUntil)}`);
  if (found.providerReference !== null) print(`Service's name  ${oneSafeText(found.providerReference)}`);
  if (found.message !== null) print(`Refusal text    ${oneSafeText(found.message)}`);
  return 0;
}

async function pending(): Promise<number> {
  const open = await getLedgerAdmin().listOpen();
  for (const { id, state, createdAt, readAt, tries } of open) {
    const minutes = Math.floor((readAt - createdAt) / 60_000);
    print(`${id}  ${state.padEnd(8)}  ${timeOf(createdAt)}  ${minutes} min old, tries: ${tries}`);
  }
  const { open: all } = await getLedgerAdmin().overview();
  print(`${all} ${all === 1 ? "open order" : "open orders"}`);
  return 0;
}

async function tryOpenOrders(): Promise<number> {
  const { open } = await getLedgerAdmin().overview();
  if (
    !(await confirmed(`Send the open orders that are due (of ${open}) to the delivery service?`, values.yes))
  )
    return fail("Nothing was sent.");
  const { tried, accepted, refused, stillPending, abandoned } = await reconcile(getLedger(), getDelivery());
  print(
    `Tried ${tried}: ${accepted} accepted, ${refused} refused, ${stillPending} still open. Abandoned: ${abandoned}.`,
  );
  if (stillPending > 0) print("The reasons are in the lines of the log above.");
  return 0;
}

async function limit(wanted: string | undefined): Promise<number> {
  const likes = wanted === "configured" ? null : Number(wanted?.replaceAll(/[,_]/g, ""));
  if (likes !== null && !(Number.isSafeInteger(likes) && likes >= limits.likesPerRequest)) {
    return fail(
      `A limit is a whole number of likes, ${limits.likesPerRequest} or more, or the word configured.\n\n${usage}`,
    );
  }
  const reason = values.reason === undefined ? undefined : oneSafeText(values.reason).trim();
  if (reason !== undefined && reason.length > maxReasonLength)
    return fail(`A reason has ${maxReasonLength} characters at most.`);
  const { totalLimit, likesUsed } = await getLedgerAdmin().overview();
  const target = likes === null ? "the configured limit" : `${number.format(likes)} likes`;
  const question = `Change today's limit from ${number.format(totalLimit)} (${number.format(likesUsed)} are charged) to ${target}?`;
  if (!(await confirmed(question, values.yes))) return fail("Nothing was changed.");
  const change = await getLedgerAdmin().changeLimit(likes, reason);
  log.warn("limit changed", { limitBefore: change.before, limitAfter: change.after });
  print(lineOf(change));
  return 0;
}

async function changes(): Promise<number> {
  const all = await getLedgerAdmin().limitChanges();
  for (const change of all) print(lineOf(change));
  print(`${all.length} ${all.length === 1 ? "change" : "changes"}`);
  return 0;
}

async function csv(): Promise<number> {
  const from = values.from === undefined ? 0 : dayOf(values.from);
  const to = values.to === undefined ? Infinity : dayOf(values.to) + dayMs;
  if (Number.isNaN(from) || Number.isNaN(to)) return fail(`A day looks like 2026-01-31.\n\n${usage}`);
  const orders: Order[] = [];
  for await (const accepted of getLedgerAdmin().listAccepted()) {
    const at = accepted.closedAt ?? 0;
    if (at >= from && at < to) orders.push(accepted);
  }
  orders.sort((a, b) => (a.closedAt ?? 0) - (b.closedAt ?? 0));
  const rows = orders.map(({ id, createdAt, closedAt, postType, postId, likes, providerReference }) => [
    ...[id, isoOf(createdAt), isoOf(closedAt ?? 0)],
    ...[postType, postId, String(likes), withoutFormula(providerReference ?? "")],
  ]);
  const head = ["reference", "made", "accepted", "type", "post", "likes", "service_reference"];
  for (const row of [head, ...rows]) process.stdout.write(`${row.map(quoted).join(",")}\r\n`);
  return 0;
}

/** By RFC 4180. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The delivery service's words: a spreadsheet would run what begins like a formula. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function lineOf({ at, day, before, after, reason }: LimitChange): string {
  const words = reason ? `: ${oneSafeText(reason)}` : "";
  return `${timeOf(at)}  limit of ${isoOf(day * dayMs).slice(0, 10)}  ${number.format(before)} -> ${number.format(after)}${words}`;
}

function dayOf(text: string): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
}

function timeOf(milliseconds: number): string {
  return `${isoOf(milliseconds).slice(0, 16).replace("T", " ")} GMT`;
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
