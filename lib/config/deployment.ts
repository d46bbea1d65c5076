import type { RawVariables } from "./parse-variables";

/*
 * What a host tells of a deployment, as the product's own settings. Vercel's system variables:
 * https://vercel.com/docs/environment-variables/system-environment-variables
 */

/** How long one of the host's functions may run (vercel.json), in seconds: a like waits for the delivery service. */
export const functionSeconds = 15;

/** What a function takes beside its wait for the delivery service, in seconds. */
const functionOverheadSeconds = 3;

/** The longest time-out for the delivery service whose answer still reaches the visitor, in milliseconds. */
export const longestWebhookTimeoutMs = (functionSeconds - functionOverheadSeconds) * 1_000;

/** The host's variable by which a serverless host is known, if it is one. */
export function serverlessHost(given: RawVariables): string | undefined {
  return ["VERCEL", "AWS_LAMBDA_FUNCTION_NAME", "NETLIFY"].find((name) => given[name]);
}

/**
 * The variables as they are meant where they were given. On Vercel everything but production is a preview, under the
 * address of its own; the address of production is the project's, unless SITE_URL says otherwise; no function has a
 * timer. A preview is a demo, whatever is set.
 */
export function deploymentVariables(given: RawVariables): RawVariables {
  const hosted: RawVariables = {
    ...(serverlessHost(given) && { RECONCILE_EVERY_SECONDS: "0" }),
    ...given,
    ...(given.VERCEL && vercelVariables(given)),
  };
  return hosted.DEPLOYMENT === "preview" ? { ...hosted, LIKE_DELIVERY: "dry-run" } : hosted;
}

function vercelVariables(given: RawVariables): RawVariables {
  const { VERCEL_ENV, VERCEL_URL, VERCEL_PROJECT_PRODUCTION_URL, SITE_URL } = given;
  if (VERCEL_ENV === "production") return SITE_URL ? {} : siteAt(VERCEL_PROJECT_PRODUCTION_URL);
  return { DEPLOYMENT: "preview", ...siteAt(VERCEL_URL) };
}

/** The host tells names without a scheme. */
function siteAt(name: string | undefined): RawVariables {
  return name ? { SITE_URL: `https://${name}` } : {};
}
