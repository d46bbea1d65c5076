import { join } from "node:path";

/**
 * Builds with other build settings than the default build. Each is a standalone output by scripts/build-variants.mjs. A
 * server gets all other settings when it starts, for example secrets.
 */
export const builds = {
  /** A demo with every service that needs a wider content security policy. */
  widened: {
    CAPTCHA_PROVIDER: "recaptcha",
    POST_LOOKUP: "http",
    POST_LOOKUP_IMAGE_HOSTS: "images.example.com",
    GTM_ID: "GTM-TEST123",
    ADS_CLIENT: "ca-pub-1234567890123456",
    ADS_SLOT_HEADER: "1111111111",
    ADS_SLOT_TOOL: "2222222222",
  },
  /** A demo on a machine with a web server. */
  deployed: { SITE_URL: "https://likes.localhost" },
  /** A production site: https and live delivery, without optional services. */
  live: {
    SITE_URL: "https://likes.example",
    SITE_NAME: "Likes Example",
    SUPPORT_EMAIL: "help@likes.example",
    OPERATOR_NAME: "Likes Example Ltd",
    OPERATOR_ADDRESS: "1 Example Street, 10115 Berlin, Germany",
    CAPTCHA_PROVIDER: "turnstile",
    POST_LOOKUP: "oembed",
    LIKE_DELIVERY: "webhook",
  },
} as const;

/** Options of a server that asks for consent to a tag manager and both ad slots. It calls no other services. */
export const consentSite = {
  build: "widened",
  env: { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox", POST_LOOKUP_IMAGE_HOSTS: undefined },
} as const;

/**
 * Builds by the serverless host's own tool (scripts/build-variants.mjs), with the variables of that host and the
 * settings of docs/deploy-serverless.md. The build checks the secrets, so it needs these examples.
 */
export const serverlessBuilds = {
  production: {
    VERCEL: "1",
    SESSION_SECRET: "session-secret-of-the-tests-0123456789",
    VISITOR_HASH_SECRET: "visitor-secret-of-the-tests-0123456789",
    UPSTASH_REDIS_REST_URL: "https://redis.example",
    UPSTASH_REDIS_REST_TOKEN: "token-of-the-tests",
    CRON_SECRET: "cron-secret-of-the-tests",
    VERCEL_ENV: "production",
    VERCEL_PROJECT_PRODUCTION_URL: "likes.localhost",
  },
} as const;

/** Returns the folder of a standalone output, or of the output of the serverless host's tool. */
export const buildFolder = (name: keyof typeof builds | "serverless") =>
  join(__dirname, "..", "..", ".data", "builds", name);
