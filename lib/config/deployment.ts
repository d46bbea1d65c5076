import type { RawVariables } from "./parse-variables";

/** Maximum run time of a serverless function, in seconds; vercel.json sets the same value. */
export const functionTimeoutSeconds = 15;

const functionOverheadSeconds = 3;

/** Maximum timeout for the delivery service on serverless hosts, in milliseconds. */
export const maxWebhookTimeoutMs = (functionTimeoutSeconds - functionOverheadSeconds) * 1_000;

/** Returns the name of the environment variable that identifies a serverless host, or undefined. */
export function detectServerlessHost(given: RawVariables): string | undefined {
  return ["VERCEL", "AWS_LAMBDA_FUNCTION_NAME", "NETLIFY"].find((name) => given[name]);
}

/** Applies the variables of the host to the settings (docs/decisions/0016-serverless-hosts.md). */
export function resolveDeploymentVariables(given: RawVariables): RawVariables {
  const hosted: RawVariables = {
    ...(detectServerlessHost(given) && { RECONCILE_EVERY_SECONDS: "0" }),
    ...given,
    ...(given.VERCEL && vercelVariables(given)),
  };
  return hosted.DEPLOYMENT === "preview" ? { ...hosted, LIKE_DELIVERY: "dry-run" } : hosted;
}

/** https://vercel.com/docs/environment-variables/system-environment-variables */
function vercelVariables(given: RawVariables): RawVariables {
  const { VERCEL_ENV, VERCEL_URL, VERCEL_PROJECT_PRODUCTION_URL, SITE_URL } = given;
  if (VERCEL_ENV === "production") return SITE_URL ? {} : siteUrlVariable(VERCEL_PROJECT_PRODUCTION_URL);
  return { DEPLOYMENT: "preview", ...siteUrlVariable(VERCEL_URL) };
}

/** Vercel sets host names without a scheme. */
function siteUrlVariable(name: string | undefined): RawVariables {
  return name ? { SITE_URL: `https://${name}` } : {};
}
