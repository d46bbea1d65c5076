import type { RawVariables } from "./variable-schemas";

/** Maximum run time of a serverless function, in seconds. vercel.json must contain the same number. */
export const functionTimeoutSeconds = 15;

const functionOverheadSeconds = 3;

/** Maximum value of LIKE_WEBHOOK_TIMEOUT_MS on a serverless host. */
export const maxWebhookTimeoutMs = (functionTimeoutSeconds - functionOverheadSeconds) * 1_000;

/** Returns the environment variable that identifies the serverless host. Returns undefined on other hosts. */
export function detectServerlessHost(given: RawVariables): string | undefined {
  return ["VERCEL", "AWS_LAMBDA_FUNCTION_NAME", "NETLIFY"].find((name) => given[name]);
}

/** Adds settings that depend on the host, such as SITE_URL (docs/decisions/0015-serverless-hosts.md). */
export function resolveDeploymentVariables(given: RawVariables): RawVariables {
  const hosted: RawVariables = {
    ...(detectServerlessHost(given) && { RECONCILE_EVERY_SECONDS: "0" }),
    // Vercel overwrites this header: https://vercel.com/docs/headers/request-headers
    ...(given.VERCEL && { TRUSTED_IP_HEADER: "x-real-ip" }),
    ...given,
    ...(given.VERCEL && vercelVariables(given)),
  };
  return hosted.DEPLOYMENT === "preview" ? { ...hosted, LIKE_DELIVERY: "dry-run" } : hosted;
}

// Vercel sets these variables: https://vercel.com/docs/environment-variables/system-environment-variables
function vercelVariables(given: RawVariables): RawVariables {
  const { VERCEL_ENV, VERCEL_URL, VERCEL_PROJECT_PRODUCTION_URL, SITE_URL } = given;
  if (VERCEL_ENV === "production") return SITE_URL ? {} : siteUrlVariable(VERCEL_PROJECT_PRODUCTION_URL);
  return { DEPLOYMENT: "preview", ...siteUrlVariable(VERCEL_URL) };
}

/** Adds "https://", because Vercel's variables contain only the host name. */
function siteUrlVariable(name: string | undefined): RawVariables {
  return name ? { SITE_URL: `https://${name}` } : {};
}
