import { startHttpDouble, type HttpDouble, type Reply } from "./http-double";

export type LookupServer = HttpDouble;

/** A text in Meta's replies that must appear nowhere else. */
export const metaMarker = "SECRET-OF-THE-OEMBED-REPLY";

/** Meta's replies as in its documentation. */
export const metaReplies = {
  found: {
    status: 200,
    body: {
      version: "1.0",
      provider_name: "Instagram",
      provider_url: "https://www.instagram.com/",
      type: "rich",
      width: 658,
      html: `<blockquote class="instagram-media" data-instgrm-version="14">${metaMarker}</blockquote>`,
    },
  },
  error: (code: number, status = 400, headers: Record<string, string> = {}) => ({
    status,
    headers,
    body: {
      error: { message: `(#${code}) ${metaMarker}`, type: "OAuthException", code, fbtrace_id: "EJplcsCHuLu" },
    },
  }),
  appUsage: (percent: number) => ({
    "x-app-usage": JSON.stringify({ call_count: percent, total_time: 25, total_cputime: 25 }),
  }),
  businessUsage(percent: number, minutes: number) {
    const usage = { type: "instagram", call_count: percent, total_cputime: 25, total_time: 25 };
    return {
      "x-business-use-case-usage": JSON.stringify({
        "17841400000000000": [{ ...usage, estimated_time_to_regain_access: minutes }],
      }),
    };
  },
};

/** Replies that contain no result of a lookup. */
export const brokenReplies: [name: string, reply: Reply][] = [
  ["no JSON", "junk"],
  ["other JSON", { body: { ok: true } }],
  ["an empty body", { body: "" }],
  ["a huge body", { body: { status: "public", type: "rich", html: "x".repeat(2_000_000) } }],
  ["a redirect", "redirect"],
  ["a server error", "error"],
  ["a lasting 503", { status: 503 }],
  ["a broken connection", "drop"],
  ["a broken body", "cut"],
];

/** Starts a lookup service. Its default response is 500. `respond` also clears `requests`. */
export async function startLookupServer(): Promise<LookupServer> {
  const double = await startHttpDouble<never>("/lookup", "error", {});
  return {
    ...double,
    respond(next) {
      double.respond(next);
      double.requests.length = 0;
    },
  };
}
