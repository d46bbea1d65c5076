import { createCaptcha } from "@/lib/server/captcha";
import { isLoopback } from "@/lib/http/loopback";
import { isTestSecretKey } from "@/lib/config/captcha-test-keys";
import type { Env } from "@/lib/server/config/env";
import { tryLogin } from "@/lib/server/inbox/mail";
import { createPostLookup } from "@/lib/server/post-lookup";
import { createRedis } from "@/lib/server/redis/client";
import { testCases, tryReceiver } from "../lib/receiver-cases";
import { ok, problem, warning, type Finding } from "./finding";

/** No service can have given this one out. */
const foreignToken = "connection.test";
/** Nobody's post: as long as a code may be, and made of one letter. */
const samplePost = { postId: "AAAAAAAAAAA", type: "post" } as const;

/** The human check: who is let through, and whether the provider knows the keys. */
export async function checkCaptcha(env: Env): Promise<Finding> {
  const { captcha, siteUrl } = env;
  const { hostname, protocol } = new URL(siteUrl);
  if (captcha.mode !== "enforce")
    return warning(
      "human check",
      `CAPTCHA_MODE is ${captcha.mode}: everybody is let through, robots too`,
      "unset it",
    );
  if (captcha.provider === "altcha") {
    return protocol === "https:" || isLoopback(hostname)
      ? ok("human check", "altcha, nobody else is asked")
      : problem(
          "human check",
          "altcha does not run in a browser on an http address",
          "serve the site by https, and set SITE_URL accordingly; or choose another CAPTCHA_PROVIDER",
        );
  }
  if (isTestSecretKey(captcha.secretKey))
    return warning(
      "human check",
      "these are the provider's public test keys, which check nobody",
      "set your own CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY",
    );
  if (!captcha.hostnames.includes(hostname) && !(captcha.allowLoopback && isLoopback(hostname)))
    return problem(
      "human check",
      `checks solved on ${hostname} would all be refused: CAPTCHA_HOSTNAMES does not name it`,
      `add ${hostname} to CAPTCHA_HOSTNAMES, or unset it`,
    );
  const check = await createCaptcha(env).check(foreignToken, hostname);
  if (check.outcome === "rejected")
    return ok(
      "human check",
      `${captcha.provider} knows the secret key; the site key only shows in a browser`,
    );
  if (check.outcome === "unavailable" && check.reason.endsWith("-input-secret"))
    return problem(
      "human check",
      `${captcha.provider} does not know CAPTCHA_SECRET_KEY`,
      "copy it again from the provider's console, from the same site as CAPTCHA_SITE_KEY",
    );
  return problem(
    "human check",
    check.outcome === "passed"
      ? "a made-up token was let through"
      : `${captcha.provider} could not be asked: ${check.reason}`,
    "look at CAPTCHA_VERIFY_URL, and whether this machine may call the provider by https",
  );
}

/** The post lookup: whether it answers as its contract says. */
export async function checkLookup({ postLookup, delivery, redis }: Env): Promise<Finding> {
  if (postLookup.kind === "sandbox") {
    return delivery.kind === "webhook"
      ? problem(
          "post lookup",
          "delivery is live, and the sandbox calls any code a public post",
          "set POST_LOOKUP=oembed, or http with your service, and build again",
        )
      : ok("post lookup", "the sandbox, as fits a demo");
  }
  const result = await createPostLookup(postLookup, () => createRedis(redis)).find(samplePost);
  if (result.status !== "unavailable") return ok("post lookup", `${postLookup.kind} answers as it should`);
  return problem(
    "post lookup",
    `${postLookup.kind} is of no use: ${result.reason}`,
    postLookup.kind === "oembed"
      ? "look at META_OEMBED_URL and META_OEMBED_TOKEN; by HTTP 401 or 403, or a limit, at Meta's app page"
      : "look at POST_LOOKUP_URL; by HTTP 401 or 403 at POST_LOOKUP_SECRET; docs/post-lookup.md is the contract",
  );
}

/** Delivery: the service keeps to the contract as far as calls that are no orders can tell. */
export async function checkDelivery({ delivery }: Env): Promise<Finding> {
  if (delivery.kind === "dry-run") return ok("delivery", "dry-run: nothing is sent");
  const { results } = await tryReceiver(delivery, testCases);
  const [good, forged] = results;
  if (!good?.passed) return problem("delivery", ...whyNoTestCall(good?.came, delivery.timeoutMs));
  if (!forged?.passed)
    return problem(
      "delivery",
      "the service also takes a call with a wrong signature: anybody could order there",
      "verify signatures by the Standard Webhooks specification, and answer 401 to what fails",
    );
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length > 0)
    return warning(
      "delivery",
      `the service does not refuse what it should: ${failed.map(({ name, came }) => `${name} (${came})`).join(", ")}`,
      "docs/delivery.md is the contract, and npm run check-receiver shows every case",
    );
  return ok("delivery", "the service took a signed test call, and refused one with a wrong signature");
}

/** What the service did with a good test call instead of taking it, and what to do. */
function whyNoTestCall(came: string | undefined, timeoutMs: number): [says: string, remedy: string] {
  if (came === "no answer in time" || came === "no connection")
    return [
      came === "no connection"
        ? "the service cannot be reached, or breaks off"
        : `no answer within ${timeoutMs} ms`,
      "look at LIKE_WEBHOOK_URL, the service's own log, and the firewall between both",
    ];
  if (came === "401" || came === "403")
    return [
      `the service refuses our signature (HTTP ${came})`,
      "give both sides the same LIKE_WEBHOOK_SECRET, and the right time",
    ];
  return [
    `the service answers the test call with HTTP ${came}`,
    "look at LIKE_WEBHOOK_URL (redirects are not followed); answer events of type connection.test with 2xx " +
      "(docs/delivery.md)",
  ];
}

/** Mail: the server is there and lets us in. Nothing is sent. */
export async function checkMail({ mail }: Env): Promise<Finding> {
  if (mail === null) return ok("mail", "none: messages are read with npm run inbox");
  const code = await tryLogin(mail);
  if (code === null) return ok("mail", "the server lets us in");
  if (code === "EAUTH")
    return problem(
      "mail",
      "the server refuses user or password",
      "correct user and password in SMTP_URL (special characters as %40 and so on)",
    );
  return problem(
    "mail",
    code === "ETLS"
      ? "the server offers no TLS, and SMTP_URL has a password, which is never sent without"
      : `the server cannot be used (${code})`,
    "look at SMTP_URL: host, port, smtps:// for port 465; whether this machine may call it; and, for a certificate of a " +
      "private authority, at NODE_EXTRA_CA_CERTS",
  );
}
