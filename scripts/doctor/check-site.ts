import ipaddr from "ipaddr.js";
import { z } from "zod";
import type { Env } from "@/lib/server/config/env";
import { ok, problem, warning, type Finding } from "./finding";

const answerWithinMs = 10_000;
/** From the blocks for documentation: never anybody's. */
const forgedAddress = "203.0.113.77";

const healthShape = z.object({ status: z.literal("ok"), you: z.object({ address: z.string() }) });

/**
 * The running site: alive, under its own name, and with the right idea of where a request comes from. Asks it twice
 * with the health token, once under a made-up address.
 *
 * @param from address of the running site, as visitors call it
 * @param expected the address that this machine is known by there, where the operator says so
 */
export async function checkSite(env: Env, from: string, expected: string | undefined): Promise<Finding[]> {
  const name =
    new URL(from).origin === env.siteUrl
      ? ok("site address", `SITE_URL is ${env.siteUrl}`)
      : problem(
          "site address",
          `visitors call ${new URL(from).origin}, and SITE_URL is ${env.siteUrl}`,
          "set SITE_URL to what visitors call, and build again",
        );
  if (!env.healthToken)
    return [
      name,
      warning(
        "visitors' address",
        "the site tells it to the holder of HEALTH_TOKEN alone, and none is set",
        "set HEALTH_TOKEN (openssl rand -base64 24) here and at the site, and ask again",
      ),
    ];
  const seen = await askAddress(from, env.healthToken, {});
  if (seen === null)
    return [
      name,
      problem(
        "site",
        "/api/health?deep=1 does not answer as it should",
        "look whether the site runs there, with the same HEALTH_TOKEN, and at its log",
      ),
    ];
  const forged = await askAddress(from, env.healthToken, forgeries(env));
  return [name, checkAddress(env, from, seen, forged, expected)];
}

/** Without a running site to ask, only what cannot be right. */
export function checkTrust({ siteUrl, clientAddress: { header, proxyHops } }: Env): Finding {
  if (header) return ok("visitors' address", `by the header ${header}; --from <site> tries it out`);
  if (proxyHops > 0)
    return ok("visitors' address", `by ${proxyHops} trusted proxies; --from <site> tries it out`);
  if (siteUrl.startsWith("http:")) return ok("visitors' address", "the socket's");
  return warning(
    "visitors' address",
    "the socket's, although SITE_URL is https: behind a proxy all visitors would share one cooldown",
    "set TRUSTED_IP_HEADER or TRUSTED_PROXY_HOPS as your proxy needs it; --from <site> tries it out",
  );
}

function checkAddress(
  { clientAddress: { header, proxyHops } }: Env,
  from: string,
  seen: string,
  forged: string | null,
  expected: string | undefined,
): Finding {
  const check = "visitors' address";
  const setting = header ? `TRUSTED_IP_HEADER=${header}` : `TRUSTED_PROXY_HOPS=${proxyHops}`;
  if (forged === forgedAddress)
    return problem(
      check,
      `with ${setting} visitors choose it themselves: ${forgedAddress} was believed`,
      "name a header that your proxy overwrites, or count your proxies exactly; and let nobody past the proxy",
    );
  const local = isPrivate(seen) && !isPrivate(new URL(from).hostname);
  if (local || seen === "unknown" || (expected !== undefined && seen !== expected))
    return problem(
      check,
      `with ${setting} the site takes us for ${seen}${expected ? `, and we are ${expected}` : ", a machine of its own"}`,
      "that is a proxy in between: set TRUSTED_IP_HEADER to what the outermost one writes, or count them all in " +
        "TRUSTED_PROXY_HOPS",
    );
  return ok(check, `the site takes us for ${seen}, and believes no made-up one`);
}

function forgeries({ clientAddress: { header } }: Env): Record<string, string> {
  const headers: Record<string, string> = { "x-forwarded-for": forgedAddress, "x-real-ip": forgedAddress };
  if (header) headers[header] = forgedAddress;
  return headers;
}

/** The address that the site counts this request under, or null. */
async function askAddress(
  from: string,
  token: string,
  headers: Record<string, string>,
): Promise<string | null> {
  try {
    const response = await fetch(new URL("/api/health?deep=1", from), {
      headers: { ...headers, authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return healthShape.parse(await response.json()).you.address;
  } catch {
    return null;
  }
}

/** An address of no public network: loopback, private, link-local. */
function isPrivate(host: string): boolean {
  const text = host.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(text)) return text === "localhost";
  const range = ipaddr.process(text).range();
  return ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"].includes(range);
}
