import { privacyFigures } from "@/lib/content/figures";
import { cookieNotes } from "@/lib/content/cookies";
import { cooldownHours } from "@/lib/content/site";
import { retention } from "@/lib/config/limits";

/** Number of hours for which an accepted order counts against the request limits. */
const limitWindowHours = 24;
const visitorHours = Math.max(cooldownHours, limitWindowHours, retention.idempotencyKeyHours);

const rows = [
  ["The record of a request: post code, time, outcome, hashed visitor", `${retention.orderDays} days`],
  [
    "Your waiting time, your requests of the last day, and that a repeated press does not count twice, under the hashed visitor",
    `${visitorHours} hours; ${retention.openOrderHours + limitWindowHours} while a request is open`,
  ],
  [
    "How many requests came from an address and from the networks around it, hashed, for their limits",
    `${retention.rateLimitWindowMinutes} minute; ${limitWindowHours} hours after a request for likes, a lookup of a post or a message`,
  ],
  [
    "That a message was sent, so that a repeated press does not count twice",
    `${retention.idempotencyKeyHours} hours`,
  ],
  [
    "How often a post was looked up for you, under your flow's random name",
    `${retention.lookupCountMinutes} minutes`,
  ],
  ["That a human check was used", `${retention.captchaUseMinutes} minutes`],
  ["Total of likes per day (not personal)", `${retention.budgetDays} days`],
  ["Codes of posts that get no likes, for example at their owner's wish", "as long as the wish holds"],
  ["Addresses of pages that were not found (not tied to you)", `${retention.notFoundDays} days`],
  ["That the lookup service asked us to pause (not personal)", `${retention.lookupPauseMinutes} minutes`],
  ...cookieNotes.map(({ label, lifetime }) => [label, lifetime] as const),
  ["Usage statistics", `anonymised after ${privacyFigures.statisticsDays} days`],
  ["Messages that you send us by a form", `${retention.inboxDays} days`],
] as const;

/** Renders the retention time of each kind of record, below the record if the text is large. */
export function RetentionList() {
  return (
    <dl className="border-t">
      {rows.map(([record, lifetime]) => (
        <div key={record} className="flex flex-wrap gap-x-4 border-b py-2">
          <dt className="flex-1 basis-40">{record}</dt>
          <dd className="tabular-nums flex-1 basis-28 font-medium">{lifetime}</dd>
        </div>
      ))}
    </dl>
  );
}
