/*
 * The score of Mozilla's HTTP Observatory, by its published rules, for what an answer itself can earn or lose:
 * https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring. Bonuses count when nothing else has cost more
 * than ten points. Redirects to https and certificates are the host's; preloading is the operator's own step.
 */

export interface ObservatoryScore {
  score: number;
  /** What each rule gave or took. */
  parts: Record<string, number>;
}

type Policy = Record<string, string[]>;

/** Scores an https answer by its headers and its HTML. */
export function observatoryScore(headers: Headers, html: string): ObservatoryScore {
  const meta = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
  const header = parse(headers.get("content-security-policy") ?? "");
  const parts = {
    "content-security-policy": scorePolicy(meta === undefined ? header : parse(meta)),
    // In a <meta>, frame-ancestors means nothing.
    "x-frame-options": header["frame-ancestors"]
      ? 5
      : /^(deny|sameorigin)$/i.test(headers.get("x-frame-options") ?? "")
        ? 0
        : -20,
    "strict-transport-security": scoreTransport(headers.get("strict-transport-security")),
    "referrer-policy": scoreReferrer(headers.get("referrer-policy")),
    "cross-origin-resource-policy": /^same-(origin|site)$/.test(
      headers.get("cross-origin-resource-policy") ?? "",
    )
      ? 10
      : 0,
    "x-content-type-options": headers.get("x-content-type-options") === "nosniff" ? 0 : -5,
    cookies: scoreCookies(headers.getSetCookie()),
    "cross-origin-resource-sharing": headers.has("access-control-allow-origin") ? -50 : 0,
    "subresource-integrity": /<script[^>]* src="(?:https?:)?\/\//.test(html) ? -5 : 0,
  };
  const values = Object.values(parts);
  const sum = (list: number[]) => list.reduce((total, value) => total + value, 0);
  const penalized = 100 + sum(values.filter((value) => value < 0));
  return { score: penalized >= 90 ? penalized + sum(values.filter((value) => value > 0)) : penalized, parts };
}

function parse(policy: string): Policy {
  return Object.fromEntries(
    policy
      .split(";")
      .map((directive) => directive.trim().toLowerCase().split(/\s+/))
      .map(([name = "", ...sources]) => [name, sources]),
  );
}

const broad = new Set(["ftp:", "http:", "https:", "*", "http://*", "https://*"]);
const unsafe = new Set([...broad, "'unsafe-inline'", "data:"]);

function scorePolicy(policy: Policy): number {
  const sources = (name: string) => policy[name] ?? policy["default-src"] ?? ["*"];
  const [scripts, styles, objects] = [sources("script-src"), sources("style-src"), sources("object-src")];
  if (Object.keys(policy).join("") === "") return -25;
  if (scripts.some((source) => unsafe.has(source)) || objects.some((source) => broad.has(source))) return -20;
  if (
    Object.values(policy)
      .flat()
      .some((source) => /^(http|ftp):/.test(source))
  )
    return -20;
  if ([...scripts, ...styles].includes("'unsafe-eval'")) return -10;
  if (styles.some((source) => unsafe.has(source))) return 0;
  const formsStay = ["'self'", "'none'"].includes(policy["form-action"]?.join(" ") ?? "");
  return policy["default-src"]?.join(" ") === "'none'" && formsStay ? 10 : 5;
}

const sixMonthsSeconds = 15_768_000;

function scoreTransport(value: string | null): number {
  const seconds = Number(/max-age=(\d+)/.exec(value ?? "")?.[1] ?? -1);
  if (seconds < 0) return -20;
  return seconds < sixMonthsSeconds ? -10 : 0;
}

function scoreReferrer(value: string | null): number {
  if (value === null) return 0;
  return /^(no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(value) ? 5 : -5;
}

function scoreCookies(cookies: string[]): number {
  if (cookies.length === 0) return 0;
  if (cookies.some((cookie) => !/; *secure/i.test(cookie))) return -40;
  if (cookies.some((cookie) => !/; *httponly/i.test(cookie))) return -30;
  return cookies.every((cookie) => /; *samesite=(strict|lax)/i.test(cookie)) ? 5 : 0;
}
