import { cooldownHours } from "@/lib/content/site";
import {
  consentCookie,
  flowCookieName,
  limits,
  rateLimitCookieName,
  sharedTextCookieName,
  sharedTextCookieSeconds,
} from "@/lib/config/limits";

export interface CookieNote {
  label: string;
  /** Name of the cookie. On https sites, the flow and rate-limit cookies have the prefix "__Host-". */
  name: string;
  lifetime: string;
  /** Content and purpose of the cookie, for a place after a colon. */
  holds: string;
}

/** All cookies that the site sets. The privacy policy and the Help Center show this list. */
export const cookieNotes: readonly CookieNote[] = [
  {
    label: "Flow cookies",
    name: `${flowCookieName}-…`,
    lifetime: `${limits.flowLifetimeSeconds / 60} minutes`,
    holds:
      "which post you are requesting likes for and your receipt, both encrypted; whether we found it public, and which steps " +
      "you have done; they end when you return to the home page",
  },
  {
    label: "Rate-limit cookie",
    name: rateLimitCookieName,
    lifetime: `${cooldownHours} hours`,
    holds: "a random number, the reference of your accepted request; it helps track the waiting time",
  },
  {
    label: "Shared text",
    name: sharedTextCookieName,
    lifetime: `${sharedTextCookieSeconds} seconds`,
    holds:
      "only when you share a post to the installed app: the text on its way to the link field, which deletes it " +
      "at once",
  },
  {
    label: "Cookie choice",
    name: consentCookie.name,
    lifetime: `${consentCookie.days} days`,
    holds: "only where analytics or ads are set up: your answer to the question about them",
  },
];
