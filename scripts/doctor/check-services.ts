import { isTestSecretKey } from "@/lib/config/captcha-test-keys";
import { isLoopback } from "@/lib/http/loopback";
import { createCaptcha } from "@/lib/server/captcha";
import type { Env } from "@/lib/server/config/env";
import { tryLogin } from "@/lib/server/inbox/mail";
import { createPostLookup } from "@/lib/server/post-lookup";
import { createRedis } from "@/lib/server/redis/client";
import { testCases, tryReceiver } from "../lib/receiver-cases";
import { findingsOf, type Finding } from "./finding";

/** A captcha token that no provider has issued. */
const invalidToken = "connection.test";
/** The code of a post that does not exist. */
const samplePost = { postId: "AAAAAAAAAAA", type: "post" } as const;

/** The usual form of site keys. The providers do not document it, so the site starts with any key. */
const siteKeyPatterns = { recaptcha: /^6L[\w-]{38}$/, turnstile: /^[0-3]x[\w-]{20,}$/ };

/** Checks the captcha settings, and whether the provider accepts the secret key. */
export async function checkCaptcha(env: Env): Promise<Finding> {
  const { ok, warning, problem } = findingsOf("human check");
  const { captcha, siteUrl } = env;
  const { hostname, protocol } = new URL(siteUrl);
  if (captcha.mode !== "enforce")
    return warning(`CAPTCHA_MODE is ${captcha.mode}: everybody is let through, robots too`, "unset it");
  if (captcha.provider === "altcha")
    return protocol === "https:" || isLoopback(hostname)
      ? ok("altcha, without another service")
      : problem(
          "altcha does not run in a browser on an http address",
          "serve the site by https, and set SITE_URL accordingly; or choose another CAPTCHA_PROVIDER",
        );
  if (isTestSecretKey(captcha.secretKey))
    return warning(
      "these are the provider's public test keys, which accept everybody",
      "set your own CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY",
    );
  const other = captcha.provider === "turnstile" ? "recaptcha" : "turnstile";
  if (siteKeyPatterns[other].test(captcha.siteKey))
    return problem(
      `CAPTCHA_SITE_KEY is a key of ${other}, and CAPTCHA_PROVIDER is ${captcha.provider}`,
      `copy the site key from the console of ${captcha.provider}, or set CAPTCHA_PROVIDER=${other}`,
    );
  if (!captcha.hostnames.includes(hostname) && !(captcha.allowLoopback && isLoopback(hostname)))
    return problem(
      `checks solved on ${hostname} would all be refused: CAPTCHA_HOSTNAMES does not name it`,
      `add ${hostname} to CAPTCHA_HOSTNAMES, or unset it`,
    );
  const check = await createCaptcha(env).check(invalidToken, hostname);
  if (check.outcome === "rejected")
    return ok(`${captcha.provider} knows the secret key; only a browser can test the site key`);
  if (check.outcome === "unavailable" && check.reason.endsWith("-input-secret"))
    return problem(
      `${captcha.provider} does not know CAPTCHA_SECRET_KEY`,
      "copy it again from the provider's console, from the same site as CAPTCHA_SITE_KEY",
    );
  return problem(
    check.outcome === "passed"
      ? "an invalid token was accepted"
      : `${captcha.provider} could not be asked: ${check.reason}`,
    "look at CAPTCHA_VERIFY_URL, and whether this machine may call the provider by https",
  );
}

/** Checks whether the post lookup responds as docs/post-lookup.md describes. */
export async function checkLookup({ postLookup, delivery, redis }: Env): Promise<Finding> {
  const { ok, problem } = findingsOf("post lookup");
  if (postLookup.kind === "sandbox")
    return delivery.kind === "webhook"
      ? problem(
          "delivery is live, and the sandbox calls any code a public post",
          "set POST_LOOKUP=oembed, or http with your service, and build again",
        )
      : ok("the sandbox, for a demo");
  const result = await createPostLookup(postLookup, () => createRedis(redis)).find(samplePost);
  if (result.status !== "unavailable") return ok(`${postLookup.kind} answers as it should`);
  return problem(
    `${postLookup.kind} is of no use: ${result.reason}`,
    postLookup.kind === "oembed"
      ? "look at META_OEMBED_URL and META_OEMBED_TOKEN; after HTTP 401 or 403, or a limit, at Meta's app page"
      : "look at POST_LOOKUP_URL; after HTTP 401 or 403 at POST_LOOKUP_SECRET; docs/post-lookup.md is the contract",
  );
}

/** Sends the test cases of docs/delivery.md to the delivery service. */
export async function checkDelivery({ delivery }: Env): Promise<Finding> {
  const { ok, warning, problem } = findingsOf("delivery");
  if (delivery.kind === "dry-run") return ok("dry-run: nothing is sent");
  const { results } = await tryReceiver(delivery, testCases);
  const [good, forged] = results;
  if (good?.came === "no connection")
    return problem(`no connection to the service (${good.code})`, good.advice[1]);
  if (!good?.passed) return problem(...explainTestCall(good?.came, delivery.timeoutMs));
  if (!forged?.passed)
    return problem(
      "the service also takes a call with a wrong signature: anybody could order there",
      "verify signatures by the Standard Webhooks specification, and respond with 401 when one is wrong",
    );
  const failed = results.filter(({ passed }) => !passed).map(({ name, came }) => `${name} (${came})`);
  if (failed.length > 0)
    return warning(
      `the service does not refuse what it should: ${failed.join(", ")}`,
      "docs/delivery.md is the contract, and npm run check-receiver shows every case",
    );
  return ok("the service took a signed test call, and refused one with a wrong signature");
}

/** Explains the response to a valid test call that the service did not accept. */
function explainTestCall(came: string | undefined, timeoutMs: number): [says: string, remedy: string] {
  switch (came) {
    case "no answer in time":
      return [
        `no answer within ${timeoutMs} ms`,
        "look at LIKE_WEBHOOK_URL, the service's own log, and the firewall between both",
      ];
    case "401":
    case "403":
      return [
        `the service refuses our signature (HTTP ${came})`,
        "give both sides the same LIKE_WEBHOOK_SECRET, and the right time",
      ];
    default:
      return [
        `the service answers the test call with HTTP ${came}`,
        "look at LIKE_WEBHOOK_URL (redirects are not followed); events of type connection.test need a 2xx response " +
          "with an empty body or JSON (docs/delivery.md)",
      ];
  }
}

/** Logs in at the mail server. Sends no mail. */
export async function checkMail({ mail }: Env): Promise<Finding> {
  const { ok, problem } = findingsOf("mail");
  if (mail === null) return ok("none: messages are read with npm run inbox");
  const code = await tryLogin(mail);
  if (code === null) return ok("the server accepts the login");
  if (code === "EAUTH")
    return problem(
      "the server refuses user or password",
      "correct user and password in SMTP_URL (special characters as %40 and so on)",
    );
  return problem(
    code === "ETLS"
      ? "the server offers no TLS, and SMTP_URL has a password, which is never sent without"
      : `the server cannot be used (${code})`,
    "look at SMTP_URL: host, port, smtps:// for port 465; whether this machine may call it; and, for a certificate of a " +
      "private authority, at NODE_EXTRA_CA_CERTS",
  );
}
