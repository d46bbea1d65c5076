import { parseEnv, siteSettingsOf } from "./env";

const secret = "s".repeat(48);
const required = { SESSION_SECRET: secret, VISITOR_HASH_SECRET: secret, REDIS_URL: "redis://127.0.0.1:6379" };
const live = {
  ...required,
  LIKE_DELIVERY: "webhook",
  LIKE_WEBHOOK_URL: "https://hooks.example.com/likes",
  LIKE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  LIKE_DELIVERY_ACKNOWLEDGED: "yes",
};

const httpLookup = {
  ...required,
  POST_LOOKUP: "http",
  POST_LOOKUP_URL: "https://lookup.example.com/posts?tenant=1",
  POST_LOOKUP_SECRET: "lookup-secret-0123456789",
};

function problemsOf(variables: Record<string, string | undefined>, build = {}): string {
  const result = parseEnv(variables, build);
  return result.ok ? "" : result.problems.join("\n");
}

function parsed(variables: Record<string, string | undefined>, build = {}) {
  const result = parseEnv(variables, build);
  if (!result.ok) throw new Error(result.problems.join("\n"));
  return result;
}

describe("parseEnv", () => {
  it("starts with secrets and a Redis, and fills in the defaults", () => {
    expect(parsed(required).env).toMatchObject({
      siteUrl: "http://localhost:3000",
      secureCookies: false,
      ledger: {
        dailyLikeLimit: 100_000,
        cooldownSeconds: 14_400,
        maxRequestsPerDay: 6,
        maxRequestsPerAddressPerDay: 60,
      },
      delivery: { kind: "dry-run" },
      captcha: { provider: "altcha", cost: 5_000, mode: "enforce", onProviderError: "deny" },
      reconcileEverySeconds: 60,
    });
  });

  it("reads the settings of the chosen lookup", () => {
    expect(parsed(required).env.postLookup).toEqual({ kind: "sandbox" });
    expect(parsed({ ...required, POST_LOOKUP: "oembed" }).env.postLookup).toEqual({
      kind: "oembed",
      url: "https://graph.facebook.com/v26.0/instagram_oembed",
      token: undefined,
    });
    const own = { META_OEMBED_URL: "http://127.0.0.1:9/oembed", META_OEMBED_TOKEN: "123|secret" };
    expect(parsed({ ...required, POST_LOOKUP: "oembed", ...own }).env.postLookup).toEqual({
      kind: "oembed",
      url: "http://127.0.0.1:9/oembed",
      token: "123|secret",
    });
    expect(parsed(httpLookup).env.postLookup).toEqual({
      kind: "http",
      url: httpLookup.POST_LOOKUP_URL,
      secret: httpLookup.POST_LOOKUP_SECRET,
      imageHosts: [],
    });
    const hosts = "images.example.com, *.CDN.example.net";
    expect(parsed({ ...httpLookup, POST_LOOKUP_IMAGE_HOSTS: hosts }).env.postLookup).toMatchObject({
      imageHosts: ["images.example.com", "*.cdn.example.net"],
    });
  });

  it("takes an empty string as unset", () => {
    expect(parsed({ ...required, COOLDOWN_SECONDS: "", LIKE_DELIVERY: " " }).env.ledger.cooldownSeconds).toBe(
      14_400,
    );
  });

  it("takes the scheme of SITE_URL for cookies", () => {
    expect(parsed({ ...required, SITE_URL: "https://likes.example.com/" }).env).toMatchObject({
      siteUrl: "https://likes.example.com",
      secureCookies: true,
    });
  });

  it("reads a list of secrets, newest first", () => {
    const list = `${"n".repeat(40)}, ${"o".repeat(40)}`;
    expect(parsed({ ...required, SESSION_SECRET: list }).env.sessionSecrets).toEqual([
      "n".repeat(40),
      "o".repeat(40),
    ]);
  });

  it("reports everything that is wrong at once", () => {
    const problems = problemsOf({
      SESSION_SECRET: "short",
      COOLDOWN_SECONDS: "soon",
      LIKE_DELIVERY: "webhook",
      CAPTCHA_MODE: "bypass",
    });
    for (const name of [
      "SESSION_SECRET",
      "VISITOR_HASH_SECRET",
      "COOLDOWN_SECONDS",
      "REDIS_URL",
      "LIKE_WEBHOOK_URL",
      "LIKE_DELIVERY_ACKNOWLEDGED",
      "CAPTCHA_MODE",
    ]) {
      expect(problems).toContain(name);
    }
  });

  it.each([
    ["no secret", { ...required, SESSION_SECRET: undefined }, "SESSION_SECRET: is required"],
    ["a short secret in a list", { ...required, VISITOR_HASH_SECRET: `${secret},short` }, "32 characters"],
    [
      "a site address with a path",
      { ...required, SITE_URL: "https://example.com/likes" },
      "must be an origin",
    ],
    ["a site address that is none", { ...required, SITE_URL: "example.com" }, "SITE_URL"],
    ["no Redis", { ...required, REDIS_URL: undefined }, "one kind of Redis is required"],
    [
      "two kinds of Redis",
      { ...required, UPSTASH_REDIS_REST_URL: "https://x.example.com", UPSTASH_REDIS_REST_TOKEN: "t" },
      "exclude each other",
    ],
    [
      "Upstash without its token",
      { ...required, REDIS_URL: undefined, UPSTASH_REDIS_REST_URL: "https://x.example.com" },
      "both are needed",
    ],
    ["a Redis address of another kind", { ...required, REDIS_URL: "http://localhost:6379" }, "redis://"],
    ["a daily limit below one request", { ...required, DAILY_LIKE_LIMIT: "49" }, "between 50"],
    ["a negative number", { ...required, MAX_REQUESTS_PER_DAY: "-1" }, "whole number"],
    [
      "two ways to trust an address",
      { ...required, TRUSTED_IP_HEADER: "x-real-ip", TRUSTED_PROXY_HOPS: "1" },
      "exclude each other",
    ],
    [
      "a serverless host without a trusted header",
      { ...required, VERCEL: "1" },
      "required on a serverless host",
    ],
    ["an unknown captcha provider", { ...required, CAPTCHA_PROVIDER: "guess" }, "CAPTCHA_PROVIDER"],
    ["an unknown lookup", { ...required, POST_LOOKUP: "scrape" }, "POST_LOOKUP"],
    ["an http lookup without its address", { ...httpLookup, POST_LOOKUP_URL: undefined }, "both are needed"],
    ["an http lookup without its secret", { ...httpLookup, POST_LOOKUP_SECRET: "" }, "both are needed"],
    ["a short lookup secret", { ...httpLookup, POST_LOOKUP_SECRET: "short" }, "16 characters"],
    ["a lookup secret no header can hold", { ...httpLookup, POST_LOOKUP_SECRET: `${secret}é` }, "ASCII"],
    ["a lookup address of another kind", { ...httpLookup, POST_LOOKUP_URL: "ftp://x.example.com" }, "http"],
    [
      "a lookup address with a password",
      { ...httpLookup, POST_LOOKUP_URL: "https://me:pass@lookup.example.com" },
      "user name or password",
    ],
    [
      "a host that is none",
      { ...httpLookup, POST_LOOKUP_IMAGE_HOSTS: "https://x.example.com" },
      "host names",
    ],
    ["all hosts", { ...httpLookup, POST_LOOKUP_IMAGE_HOSTS: "*" }, "host names"],
    ["all hosts of a top domain", { ...httpLookup, POST_LOOKUP_IMAGE_HOSTS: "*.com" }, "host names"],
    ["live delivery without its address", { ...live, LIKE_WEBHOOK_URL: undefined }, "LIKE_WEBHOOK_URL"],
    ["live delivery without its secret", { ...live, LIKE_WEBHOOK_SECRET: undefined }, "LIKE_WEBHOOK_SECRET"],
    ["a webhook secret of another form", { ...live, LIKE_WEBHOOK_SECRET: "secret" }, "whsec_"],
    [
      "live delivery without the statement",
      { ...live, LIKE_DELIVERY_ACKNOWLEDGED: undefined },
      "16 CFR 465.8",
    ],
    ["another statement", { ...live, LIKE_DELIVERY_ACKNOWLEDGED: "true" }, "must be yes"],
    ["live delivery with captcha off", { ...live, CAPTCHA_MODE: "bypass" }, "only with enforce"],
    ["live delivery with a development captcha", { ...live, CAPTCHA_MODE: "dev" }, "only with enforce"],
    ["a short cron secret", { ...required, CRON_SECRET: "short" }, "CRON_SECRET"],
  ])("refuses %s", (_, variables, reason) => {
    expect(problemsOf(variables)).toContain(reason);
  });

  describe("the human check", () => {
    const keys = { CAPTCHA_SITE_KEY: "site", CAPTCHA_SECRET_KEY: "secret" };
    const googleTest = {
      CAPTCHA_SITE_KEY: "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
      CAPTCHA_SECRET_KEY: "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
    };

    it.each(["recaptcha", "turnstile"])(
      "takes the keys of %s, of any length, and the site's host",
      (provider) => {
        const site = { SITE_URL: "https://likes.example.com:8443", CAPTCHA_PROVIDER: provider };
        expect(parsed({ ...required, ...site, ...keys }).env.captcha).toEqual({
          provider,
          siteKey: "site",
          secretKey: "secret",
          verifyUrl: undefined,
          hostnames: ["likes.example.com"],
          allowLoopback: true,
          mode: "enforce",
          onProviderError: "deny",
        });
      },
    );

    it("takes another verification address, and hosts of its own, to which loopback then belongs only by name", () => {
      const variables = {
        ...required,
        ...keys,
        CAPTCHA_PROVIDER: "turnstile",
        CAPTCHA_VERIFY_URL: "https://egress.example.com/verify",
        CAPTCHA_HOSTNAMES: "Likes.example.com, www.example.com",
      };
      expect(parsed(variables).env.captcha).toMatchObject({
        verifyUrl: "https://egress.example.com/verify",
        hostnames: ["likes.example.com", "www.example.com"],
        allowLoopback: false,
      });
    });

    it.each([
      [
        "recaptcha without keys",
        { CAPTCHA_PROVIDER: "recaptcha" },
        "both are needed for CAPTCHA_PROVIDER=recaptcha",
      ],
      [
        "turnstile without its secret",
        { CAPTCHA_PROVIDER: "turnstile", CAPTCHA_SITE_KEY: "site" },
        "both are needed",
      ],
      [
        "a short secret of altcha",
        { CAPTCHA_SECRET_KEY: "short" },
        "CAPTCHA_SECRET_KEY: must have 32 characters",
      ],
      ["a verification address that is none", { CAPTCHA_VERIFY_URL: "egress" }, "CAPTCHA_VERIFY_URL"],
      ["a host with a scheme", { CAPTCHA_HOSTNAMES: "https://example.com" }, "CAPTCHA_HOSTNAMES: must be"],
      [
        "a host with a port",
        { CAPTCHA_HOSTNAMES: "a.example.com,b.example.com:8080" },
        "CAPTCHA_HOSTNAMES: must be",
      ],
      [
        "an empty place in the list of hosts",
        { CAPTCHA_HOSTNAMES: "a.example.com," },
        "CAPTCHA_HOSTNAMES: must be",
      ],
    ])("refuses %s", (_, variables, reason) => {
      expect(problemsOf({ ...required, ...variables })).toContain(reason);
    });

    it.each([
      ["recaptcha", googleTest.CAPTCHA_SITE_KEY, googleTest.CAPTCHA_SECRET_KEY],
      ["turnstile", "1x00000000000000000000AA", "1x0000000000000000000000000000000AA"],
      ["turnstile", "2x00000000000000000000AB", "2x0000000000000000000000000000000AA"],
      ["turnstile", "3x00000000000000000000FF", "3x0000000000000000000000000000000AA"],
    ])("refuses the public test keys of %s with live delivery, each by name", (provider, site, secretKey) => {
      const variables = { CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: site, CAPTCHA_SECRET_KEY: secretKey };
      expect(parsed({ ...required, ...variables }).env.captcha.provider).toBe(provider);
      const problems = problemsOf({ ...live, ...variables });
      expect(problems).toContain("CAPTCHA_SITE_KEY: this is the provider's public test key");
      expect(problems).toContain("CAPTCHA_SECRET_KEY: this is the provider's public test key");
    });

    it("starts live delivery with keys of one's own", () => {
      expect(parsed({ ...live, ...keys, CAPTCHA_PROVIDER: "recaptcha" }).env.captcha.siteKey).toBe("site");
    });
  });

  it("refuses dry-run on a build made for live delivery, which hides the demo banner", () => {
    expect(problemsOf(required, { LIKE_DELIVERY: "webhook", POST_LOOKUP: "http" })).toContain("demo banner");
  });

  it("warns of settings of a lookup that is not chosen", () => {
    const warnings = parsed({ ...httpLookup, POST_LOOKUP: "sandbox" }).warnings.join("\n");
    expect(warnings).toContain("POST_LOOKUP_URL is for POST_LOOKUP=http, but POST_LOOKUP is sandbox");
  });

  it("warns of any other difference from the build, and of live delivery with sample posts", () => {
    expect(parsed(live).warnings.join("\n")).toMatch(/LIKE_DELIVERY differs[^]*POST_LOOKUP is sandbox/);
    expect(parsed(required).warnings).toEqual([]);
  });
});

describe("siteSettingsOf", () => {
  it("fills in the defaults", () => {
    expect(siteSettingsOf({})).toMatchObject({
      siteUrl: "http://localhost:3000",
      siteName: "Boost50",
      supportEmail: "support@example.com",
      securityContact: "support@example.com",
      demoMode: true,
      captchaProvider: "altcha",
      inboxRetentionDays: 30,
    });
  });

  it("reads what pages show", () => {
    const build = {
      SITE_URL: "https://likes.example.com/",
      SITE_NAME: "Tom & Ada's likes",
      SUPPORT_EMAIL: "a@b.co",
    };
    expect(siteSettingsOf(build)).toMatchObject({
      siteUrl: "https://likes.example.com",
      siteName: "Tom & Ada's likes",
      securityContact: "a@b.co",
    });
    for (const contact of ["security@example.com", "https://example.com/security"]) {
      expect(siteSettingsOf({ SECURITY_CONTACT: contact }).securityContact).toBe(contact);
    }
  });

  const wrong = {
    SITE_NAME: ["</script >", "a\u0007b", "n".repeat(61)],
    SUPPORT_EMAIL: ["support", "https://example.com/help"],
    SECURITY_CONTACT: ["security", "http://example.com/security", "tel:+1-201-555-0123"],
  };

  it.each(Object.entries(wrong).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    "%s cannot be %j: neither the build nor the server takes it",
    (name, value) => {
      expect(() => siteSettingsOf({ [name]: value })).toThrow(`${name}: must`);
      expect(problemsOf({ ...required, [name]: value }, { [name]: value })).toMatch(
        new RegExp(`^${name}: must`),
      );
    },
  );
});
