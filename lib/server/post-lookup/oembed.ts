import "server-only";
import { z } from "zod";
import { canonicalLink, type InstagramPost } from "@/lib/flow/instagram-link";
import { log } from "@/lib/server/ops/log";
import { fetchJson, type HttpResponse } from "@/lib/server/http/http-client";
import type { CoolOff } from "./cool-off";
import { coolOffSeconds } from "./meta-limits";
import { lookupDeadlineMs, type LookupResult, type PostLookup } from "./post-lookup";

/** An embed code is a few thousand characters. */
const maxAnswerBytes = 131_072;

/** What tells an oEmbed reply from something else. Author and thumbnail are no longer part of it. */
const replyShape = z.object({ type: z.string().min(1), html: z.string().min(1) });
const errorShape = z.object({ error: z.object({ code: z.number().int() }) });

/** Too many calls: of the app (4, 341), the user (17), the page (32), of this kind (613), of an Instagram account. */
const limitCodes = new Set([4, 17, 32, 341, 613, 80_002]);
/** The link names nothing that can be embedded: deleted, private, age-restricted, or with embedding turned off. */
const missingCodes = new Set([24, 100, 803]);

/** The token expired (190), its session ended (102), or the app lacks the feature or permission (3, 10, 200 to 299). */
function isAccessCode(code: number): boolean {
  return [3, 10, 102, 190].includes(code) || (code >= 200 && code < 300);
}

/**
 * Meta's official oEmbed endpoint, asked for one thing only: whether a post can be embedded, that is, is public. The
 * link that it gets is rebuilt from the code. Nothing of its reply is kept or passed on. When Meta limits us, no process
 * asks until the cool-off is over.
 *
 * @param settings.token an app's token raises the limit; sent as a header, so that no log of addresses holds it
 */
export function createOembedLookup(settings: {
  url: string;
  token: string | undefined;
  coolOff: CoolOff;
}): PostLookup {
  const headers: Record<string, string> = {
    accept: "application/json",
    ...(settings.token !== undefined && { authorization: `Bearer ${settings.token}` }),
  };

  async function find(post: InstagramPost): Promise<LookupResult> {
    const remaining = await settings.coolOff.remainingSeconds();
    if (remaining > 0) return { status: "unavailable", reason: "cool-off", retryAfterSeconds: remaining };
    const answer = await fetchJson(addressFor(settings.url, post), {
      headers,
      deadlineMs: lookupDeadlineMs,
      maxBytes: maxAnswerBytes,
      retryStatus: (status) => status >= 500,
    });
    if ("failure" in answer) return { status: "unavailable", reason: answer.failure };
    const pauseSeconds = coolOffSeconds(answer.headers, isLimit(answer));
    if (pauseSeconds !== null) {
      log.warn("lookup cool-off", { seconds: pauseSeconds, status: answer.status });
      await settings.coolOff.start(pauseSeconds);
    }
    return resultOf(answer, post);
  }

  return { find };
}

function addressFor(endpoint: string, post: InstagramPost): URL {
  const url = new URL(endpoint);
  url.searchParams.set("url", canonicalLink(post));
  return url;
}

function codeOf(answer: HttpResponse): number | undefined {
  return errorShape.safeParse(answer.json).data?.error.code;
}

function isLimit(answer: HttpResponse): boolean {
  return answer.status === 429 || (answer.status >= 400 && limitCodes.has(codeOf(answer) ?? 0));
}

function resultOf(answer: HttpResponse, { type }: InstagramPost): LookupResult {
  const { status } = answer;
  if (status === 200 && replyShape.safeParse(answer.json).success) {
    return { status: "public", type, username: null, caption: null, imageUrl: null, limited: true };
  }
  const code = codeOf(answer);
  // Meta does not tell private from deleted: "missing" has the words that fit both.
  if ((status === 400 || status === 404) && missingCodes.has(code ?? 0)) return { status: "missing" };
  return { status: "unavailable", reason: reasonOf(answer, code) };
}

/** For the log: Meta's own messages may repeat the link, so only numbers are taken. */
function reasonOf(answer: HttpResponse, code: number | undefined): string {
  const what = isLimit(answer)
    ? "Meta's limit is reached"
    : code !== undefined && isAccessCode(code)
      ? "Meta refuses the token or its permissions"
      : answer.status === 200
        ? "no oEmbed reply"
        : "unexpected answer";
  return `${what} (HTTP ${answer.status}${code === undefined ? "" : `, code ${code}`})`;
}
