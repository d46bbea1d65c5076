import ipaddr from "ipaddr.js";
import { z } from "zod";
import type { Env } from "@/lib/server/config/env";
import { findingsOf, type Finding } from "./finding";

const timeoutMs = 10_000;
/** An address from a range for documentation, which no visitor has. */
const forgedAddress = "203.0.113.77";
const addressCheck = findingsOf("visitors' address");

const healthShape = z.object({ status: z.literal("ok"), you: z.object({ address: z.string() }) });

/**
 * Checks the address of the running site, and which IP address the site sees for this machine. Sends one request with
 * forged address headers.
 *
 * @param from address of the running site, as visitors call it
 * @param expected the public IP address of this machine, if the operator knows it
 */
export async function checkSite(env: Env, from: string, expected: string | undefined): Promise<Finding[]> {
  const { origin } = new URL(from);
  const { ok, problem } = findingsOf("site address");
  const address =
    origin === env.siteUrl
      ? ok(`SITE_URL is ${env.siteUrl}`)
      : problem(
          `visitors call ${origin}, and SITE_URL is ${env.siteUrl}`,
          "set SITE_URL to what visitors call, and build again",
        );
  return [address, await checkRunningSite(env, from, expected)];
}

/** Checks the settings for the visitors' address, without the running site. */
export function checkTrust({ siteUrl, clientAddress: { header, proxyHops } }: Env): Finding {
  const { ok, warning } = addressCheck;
  const trial = "--from <site> tries it out";
  if (header) return ok(`by the header ${header}; ${trial}`);
  if (proxyHops > 0) return ok(`by ${proxyHops} trusted proxies; ${trial}`);
  if (siteUrl.startsWith("http:")) return ok("the socket's");
  return warning(
    "the socket's, although SITE_URL is https: behind a proxy all visitors would share one cooldown",
    `set TRUSTED_IP_HEADER or TRUSTED_PROXY_HOPS as your proxy needs it; ${trial}`,
  );
}

async function checkRunningSite(env: Env, from: string, expected: string | undefined): Promise<Finding> {
  const { ok, warning, problem } = addressCheck;
  const { header, proxyHops } = env.clientAddress;
  if (!env.healthToken)
    return warning(
      "the site tells it only with HEALTH_TOKEN, and none is set",
      "set HEALTH_TOKEN (openssl rand -base64 24) here and at the site, and run the doctor again",
    );
  const seen = await requestAddress(from, env.healthToken, []);
  if (seen === null)
    return findingsOf("site").problem(
      "/api/health?deep=1 does not answer as it should",
      "look whether the site runs there, with the same HEALTH_TOKEN, and at its log",
    );
  const setting = header ? `TRUSTED_IP_HEADER=${header}` : `TRUSTED_PROXY_HOPS=${proxyHops}`;
  const forgeable = ["x-forwarded-for", "x-real-ip", ...(header ? [header] : [])];
  if ((await requestAddress(from, env.healthToken, forgeable)) === forgedAddress)
    return problem(
      `with ${setting} visitors choose it themselves: ${forgedAddress} was believed`,
      "name a header that your proxy overwrites, or count your proxies exactly; and let nobody past the proxy",
    );
  const isProxy = isPrivate(seen) && !isPrivate(new URL(from).hostname);
  if (isProxy || seen === "unknown" || (expected !== undefined && seen !== expected))
    return problem(
      `with ${setting} the site takes us for ${seen}${expected ? `, and we are ${expected}` : ""}`,
      "that is a proxy in between: set TRUSTED_IP_HEADER to what the outermost one writes, or count them all in " +
        "TRUSTED_PROXY_HOPS",
    );
  return ok(`the site takes us for ${seen}, and ignores a forged address`);
}

/** Returns the address that the site sees, or null without a valid response. Sends the forged address in `headers`. */
async function requestAddress(from: string, token: string, headers: string[]): Promise<string | null> {
  const forged = Object.fromEntries(headers.map((name) => [name, forgedAddress]));
  try {
    const response = await fetch(new URL("/api/health?deep=1", from), {
      headers: { ...forged, authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return healthShape.parse(await response.json()).you.address;
  } catch {
    return null;
  }
}

/** Returns whether a host is in a loopback, private or link-local network. */
function isPrivate(host: string): boolean {
  const text = host.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(text)) return text === "localhost";
  const range = ipaddr.process(text).range();
  return ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"].includes(range);
}
