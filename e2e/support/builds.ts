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

/** Made only when named: the default build as a standalone output, for E2E_STANDALONE=1 npm run test:e2e. */
export const buildsOnDemand = { plain: {} } as const;

/** Where they lie, from the project's root. */
export const buildsFolder = ".data/builds";
