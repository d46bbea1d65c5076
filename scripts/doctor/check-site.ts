import { lookup } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import type { Env } from "@/lib/server/config/env";
import { normalizeAddress } from "@/lib/server/identity/networks";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import { createRedis } from "@/lib/server/redis/client";
import { findingsOf, tlsErrorPattern, type Finding } from "./finding";

const timeoutMs = 10_000;
/** An address from a range for documentation, which no visitor has. */
const forgedAddress = "203.0.113.77";
const addressCheck = findingsOf("visitors' address");

const healthShape = z.object({
  status: z.literal("ok"),
  budget: z.object({ totalLimit: z.number() }),
  you: z.object({ address: z.string() }),
});
const errorShape = z.object({ success: z.literal(false), code: z.string() });

/** Failures of deep health: a pattern of the error's code or of the response, what it means, and the remedy. */
const failures: [pattern: RegExp, says: string, remedy: string][] = [
  [/^ECONNREFUSED/, "nothing listens there", "compare the port behind --from, and start the web server"],
  [/^(?:ENOTFOUND|EAI_AGAIN)/, "its name has no address", "compare the name behind --from with the DNS"],
  [
    tlsErrorPattern,
    "TLS fails",
    "look at the web server's certificate and its log; http and https have different ports",
  ],
  [
    /unauthorized|not_found/,
    "it does not accept HEALTH_TOKEN",
    "set the same HEALTH_TOKEN here and at the site, and restart the site",
  ],
  [
    /service_unavailable|^HTTP 50[234]/,
    "the process does not run, or it cannot use Redis",
    "look at its log, and at the lines about redis",
  ],
  [
    /: empty$/,
    "the web server has no site for this path",
    "compare SITE_URL in the web server's environment: an origin without / at its end",
  ],
  [
    /^HTTP/,
    "another program answers there",
    "find the program that has taken the site's port (ss -ltnp), or compare the address behind --from",
  ],
  [/./, "it does not answer", "look at its log, and at the firewall"],
];

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
  return [address, ...(await checkRunningSite(env, from, expected))];
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

async function checkRunningSite(env: Env, from: string, expected: string | undefined): Promise<Finding[]> {
  if (!env.healthToken)
    return [
      addressCheck.warning(
        "the site tells it only with HEALTH_TOKEN, and none is set",
        "set HEALTH_TOKEN (openssl rand -base64 24) here and at the site, and run the doctor again",
      ),
    ];
  const health = await requestHealth(from, env.healthToken, []);
  if (typeof health === "string") {
    const [, says, remedy] = failures.find(([pattern]) => pattern.test(health))!;
    return [findingsOf("site").problem(`${says} (${health})`, remedy)];
  }
  return [
    ...(await checkAge(env, from, health.budget.totalLimit)),
    await checkAddress(env, from, {
      seen: health.you.address,
      // The site shortens an IPv6 address to its network.
      expected: expected && (normalizeAddress(expected) ?? expected),
      token: env.healthToken,
    }),
  ];
}

/** Checks whether the process has started with the present settings and build. */
async function checkAge(env: Env, from: string, siteLimit: number): Promise<Finding[]> {
  const { warning, problem } = findingsOf("site");
  const findings: Finding[] = [];
  const ledger = createLedgerAdmin(createRedis(env.redis), env.ledger);
  const limit = await ledger.overview().then(
    ({ totalLimit }) => totalLimit,
    () => siteLimit,
  );
  if (limit !== siteLimit)
    findings.push(
      problem(`today's limit is ${siteLimit} there, and ${limit} by these settings`, "restart the site"),
    );
  const file = join(process.cwd(), ".next", "BUILD_ID");
  const buildId = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  const page = await fetch(from, { signal: AbortSignal.timeout(timeoutMs) }).then(
    (response) => response.text(),
    () => buildId,
  );
  if (!page.includes(buildId))
    findings.push(
      warning(
        "it runs another build than the one in .next",
        "run npm run release; or run the doctor in the checkout of the site's build",
      ),
    );
  return findings;
}

async function checkAddress(
  env: Env,
  from: string,
  { seen, expected, token }: { seen: string; expected: string | undefined; token: string },
): Promise<Finding> {
  const { ok, warning, problem } = addressCheck;
  const { header, proxyHops } = env.clientAddress;
  const setting = header ? `TRUSTED_IP_HEADER=${header}` : `TRUSTED_PROXY_HOPS=${proxyHops}`;
  const forgeable = ["x-forwarded-for", "x-real-ip", ...(header ? [header] : [])];
  const forged = await requestHealth(from, token, forgeable);
  const tooManyHops = "lower TRUSTED_PROXY_HOPS to the number of your proxies";
  if (typeof forged === "object" && forged.you.address === forgedAddress)
    return problem(
      `with ${setting} visitors choose it themselves: ${forgedAddress} was believed`,
      `${header ? "name a header that your proxy overwrites" : tooManyHops}; and let nobody past the proxy`,
    );
  if (seen === "unknown" && proxyHops > 0)
    return problem(`with ${setting} the site finds no address: there are fewer proxies`, tooManyHops);
  const { hostname } = new URL(from);
  const isPublic = !isPrivate(hostname);
  const reached = await lookup(hostname).then(
    ({ address }) => address,
    () => hostname,
  );
  if (isPublic && isPrivate(seen) && isPrivate(reached))
    return warning(
      `on this machine ${hostname} leads to ${reached} (/etc/hosts), so the site takes us for ${seen}`,
      "run the doctor on another machine",
    );
  const isWrong = (isPublic && isPrivate(seen)) || seen === "unknown" || (expected ?? seen) !== seen;
  if (isWrong && seen === ownGateway())
    return warning(
      `the site takes us for ${seen}, Docker's gateway, because the doctor runs in a container of the same machine`,
      "run the doctor on another machine, once over IPv4 and once over IPv6",
    );
  // Networks of Docker are private, and their gateway has the first address.
  if (isWrong && isPrivate(seen) && /(?:\.1|::)$/.test(seen) && !seen.startsWith("127."))
    return problem(
      `with ${setting} the site takes us for ${seen}, which looks like Docker's gateway: many visitors share it`,
      "give Docker's network IPv6, as compose.yaml does (docs/deploy-docker.md); if it is a proxy of yours, " +
        "set TRUSTED_IP_HEADER to what it writes",
    );
  if (isWrong)
    return problem(
      `with ${setting} the site takes us for ${seen}${expected ? `, and we are ${expected}` : ""}`,
      "that is a proxy in between: set TRUSTED_IP_HEADER to what the outermost one writes, or count them all in " +
        "TRUSTED_PROXY_HOPS",
    );
  return ok(`the site takes us for ${seen}, and ignores a forged address`);
}

/** Returns deep health, or the code of the failure for `failures`. Sends the forged address in `headers`. */
async function requestHealth(from: string, token: string, headers: string[]) {
  const forged = Object.fromEntries(headers.map((name) => [name, forgedAddress]));
  try {
    const response = await fetch(new URL("/api/health?deep=1", from), {
      headers: { ...forged, authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (response.ok && !text) return `HTTP ${response.status}: empty`;
    const body: unknown = await new Response(text).json().catch(() => null);
    const health = healthShape.safeParse(body);
    return health.data ?? `HTTP ${response.status} ${errorShape.safeParse(body).data?.code ?? ""}`.trim();
  } catch (error) {
    const { cause, name } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? name;
  }
}

/** Returns the IPv4 gateway of this machine or container, or undefined. Linux prints it in hexadecimal, last byte first. */
function ownGateway(): string | undefined {
  const file = "/proc/net/route";
  const hex = /^\S+\t0{8}\t([\dA-F]{8})\t/m.exec(existsSync(file) ? readFileSync(file, "utf8") : "")?.[1];
  return hex && Buffer.from(hex, "hex").reverse().join(".");
}

/** Returns whether a host is in a loopback, private or link-local network. */
function isPrivate(host: string): boolean {
  const text = host.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(text)) return text === "localhost";
  const range = ipaddr.process(text).range();
  return ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"].includes(range);
}
