/**
 * Builds besides the default one, for what is fixed when pages are built. Each is a standalone output, which the tests
 * run as a host would; scripts/build-variants.mjs makes them. Their settings are the build's only: a server gets the
 * rest, secrets among them, when it starts.
 */
export const builds = {
  /** Everything that widens the content security policy; a demo still. */
  widened: {
    CAPTCHA_PROVIDER: "recaptcha",
    POST_LOOKUP: "http",
    POST_LOOKUP_IMAGE_HOSTS: "images.example.com",
    GTM_ID: "GTM-TEST123",
    ADS_CLIENT: "ca-pub-1234567890123456",
    ADS_SLOT_HEADER: "1111111111",
    ADS_SLOT_TOOL: "2222222222",
  },
  /** The site as it comes, on a machine with a web server in front. */
  deployed: { SITE_URL: "https://likes.localhost" },
  /** As in production: https, live delivery, nothing that is not needed. */
  live: {
    SITE_URL: "https://likes.example",
    SITE_NAME: "Likes Example",
    SUPPORT_EMAIL: "help@likes.example",
    CAPTCHA_PROVIDER: "turnstile",
    POST_LOOKUP: "oembed",
    LIKE_DELIVERY: "webhook",
  },
} as const;

/**
 * Builds by the serverless host's own tool (scripts/build-serverless.mjs), with what that host tells of a deployment and
 * what docs/deploy-serverless.md has an operator set. Its checks see the secrets as well, so these are made up.
 */
const serverlessSettings = {
  VERCEL: "1",
  TRUSTED_IP_HEADER: "x-real-ip",
  SESSION_SECRET: "session-secret-of-the-tests-0123456789",
  VISITOR_HASH_SECRET: "visitor-secret-of-the-tests-0123456789",
  UPSTASH_REDIS_REST_URL: "https://redis.example",
  UPSTASH_REDIS_REST_TOKEN: "token-of-the-tests",
  CRON_SECRET: "cron-secret-of-the-tests",
};
export const serverlessBuilds = {
  production: {
    ...serverlessSettings,
    VERCEL_ENV: "production",
    VERCEL_PROJECT_PRODUCTION_URL: "likes.localhost",
  },
  preview: {
    ...serverlessSettings,
    VERCEL_ENV: "preview",
    VERCEL_URL: "likes-git-branch.localhost",
    SITE_URL: "https://likes.example",
    LIKE_DELIVERY: "webhook",
  },
} as const;

/** Where they lie, from the project's root. */
export const buildsFolder = ".data/builds";
