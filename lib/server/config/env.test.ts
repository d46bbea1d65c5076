import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSettingNames, parseBuildSettings } from "@/lib/config/build-settings";
import { secretSettings } from "@/lib/config/read-variables";
import { liveDelivery, webhookSecret } from "@/testing/servers/live-delivery";
import { getSiteSettings, parseEnv } from "./env";

type Variables = Record<string, string | undefined>;

const secret = "s".repeat(48);
const required = { SESSION_SECRET: secret, VISITOR_HASH_SECRET: secret, REDIS_URL: "redis://127.0.0.1:6379" };
const upstash = { UPSTASH_REDIS_REST_URL: "https://x.example.com", UPSTASH_REDIS_REST_TOKEN: "t" };
const tcpUrl = "rediss://default:pw@x.example.com:6379";
const integration = { KV_REST_API_URL: "https://x.example.com", KV_REST_API_TOKEN: "t" };
const vercel = { VERCEL: "1", VERCEL_ENV: "production", VERCEL_PROJECT_PRODUCTION_URL: "likes.example" };
const folder = mkdtempSync(join(tmpdir(), "secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const none = join(folder, "none");
const token = "health-token-of-the-tests";
const keys = { CAPTCHA_SITE_KEY: "site", CAPTCHA_SECRET_KEY: "secret" };
const hook = { url: "https://hooks.example.com/likes", secret: webhookSecret };
const live = liveDelivery(hook);
/** A local trial delivers only to a service on this machine. */
const trial = { ...live, DEPLOYMENT: "trial", LIKE_WEBHOOK_URL: "http://127.0.0.1:3100/likes" };
const otherMachines = [hook.url, "http://127.0.0.1.example.com/", "http://10.0.0.1/likes"];
const trialProblem = "DEPLOYMENT: a trial delivers only to a service on this machine";
const operator = { OPERATOR_NAME: live.OPERATOR_NAME, OPERATOR_ADDRESS: live.OPERATOR_ADDRESS };
const liveBuild = { ...operator, LIKE_DELIVERY: "webhook", POST_LOOKUP: "http" };
const lookup = { url: "https://lookup.example.com/posts?tenant=1", secret: "lookup-secret-0123456789" };
const http = { POST_LOOKUP: "http", POST_LOOKUP_URL: lookup.url, POST_LOOKUP_SECRET: lookup.secret };

function problemsOf(variables: Variables, build: Variables = {}): string {
  const result = parseEnv({ ...required, ...variables }, parseBuildSettings(build));
  return result.ok ? "" : result.problems.join("\n");
}

function parsed(variables: Variables) {
  const result = parseEnv({ ...required, ...variables }, parseBuildSettings({}));
  if (!result.ok) throw new Error(result.problems.join("\n"));
  return result;
}

const defaults = {
  siteUrl: "http://localhost:3000",
  secureCookies: false,
  ledger: {
    dailyLikeLimit: 100_000,
    cooldownSeconds: 14_400,
    maxRequestsPerDay: 6,
    maxRequestsPerAddressPerDay: 60,
    pacing: false,
  },
  delivery: { kind: "dry-run" },
  captcha: { provider: "altcha", cost: 5_000, mode: "enforce", onProviderError: "deny" },
  postLookup: { kind: "sandbox" },
  mail: null,
  reconcileEverySeconds: 60,
  keepAliveSeconds: 75,
};
const oembed = { kind: "oembed", url: "https://graph.facebook.com/v26.0/instagram_oembed", token: undefined };
const siteverify = {
  siteKey: "site",
  secretKey: "secret",
  verifyUrl: undefined,
  hostnames: ["likes.example.com"],
  allowLoopback: false,
  mode: "enforce",
  onProviderError: "deny",
};
const rest = { kind: "rest", url: "https://x.example.com", token: "t" };
const sentinels = { url: "redis://site:p%40ss@primary/2", sentinels: ["10.0.0.1:26379", "a.example.com"] };
const serverless = { ...vercel, CRON_SECRET: secret };
const turnstile = { ...keys, CAPTCHA_PROVIDER: "turnstile" };
const testKey = "1x00000000000000000000AA";
const likesSite = { SITE_URL: "https://likes.example.com:8443" };

it.each<[variables: Variables, env: object]>([
  [{}, defaults],
  // An empty setting counts as unset.
  [{ TEST_COOLDOWN_SECONDS: "", LIKE_DELIVERY: " " }, defaults],
  [{ ...upstash, REDIS_URL: undefined }, { redis: rest }],
  [{ ...integration, REDIS_URL: undefined }, { redis: rest }],
  // All variables of Vercel's integration name one database.
  [{ ...integration, KV_REST_API_READ_ONLY_TOKEN: "r", KV_URL: tcpUrl, REDIS_URL: tcpUrl }, { redis: rest }],
  // Vercel overwrites x-real-ip.
  [serverless, { isServerless: true, clientAddress: { header: "x-real-ip", proxyHops: 0 } }],
  [{ ...serverless, TRUSTED_IP_HEADER: "cf-ip" }, { clientAddress: { header: "cf-ip" } }],
  // Each instance of a serverless host would count alone.
  [
    { ...serverless, HEALTH_TOKEN: token },
    { healthToken: token, metricsToken: undefined },
  ],
  [{ HEALTH_TOKEN: token }, { healthToken: token, metricsToken: token }],
  // The file ends with a line break.
  [
    { SESSION_SECRET: "", SESSION_SECRET_FILE: file("session", `${"f".repeat(40)}\n`) },
    { sessionSecrets: ["f".repeat(40)] },
  ],
  // The newest secret is the first.
  [
    { SESSION_SECRET: `${"n".repeat(40)}, ${"o".repeat(40)}` },
    { sessionSecrets: ["n".repeat(40), "o".repeat(40)] },
  ],
  [
    { REDIS_URL: "rediss://a:p%40s@[::1]:6/15" },
    { redis: { kind: "tcp", url: "rediss://a:p%40s@[::1]:6/15" } },
  ],
  [{ REDIS_URL: sentinels.url, REDIS_SENTINELS: sentinels.sentinels.join(", ") }, { redis: sentinels }],
  [{ SITE_URL: "https://likes.example.com" }, { siteUrl: "https://likes.example.com", secureCookies: true }],
  [{ POST_LOOKUP: "oembed" }, { postLookup: oembed }],
  [
    { POST_LOOKUP: "oembed", META_OEMBED_URL: "http://127.0.0.1:9/oembed", META_OEMBED_TOKEN: "123|secret" },
    { postLookup: { kind: "oembed", url: "http://127.0.0.1:9/oembed", token: "123|secret" } },
  ],
  [http, { postLookup: { kind: "http", ...lookup, imageHosts: [] } }],
  [
    { ...http, POST_LOOKUP_IMAGE_HOSTS: "images.example.com, *.CDN.example.net" },
    { postLookup: { imageHosts: ["images.example.com", "*.cdn.example.net"] } },
  ],
  [live, { delivery: { kind: "webhook", ...hook, timeoutMs: 8_000 } }],
  [{ ...live, ...keys, CAPTCHA_PROVIDER: "recaptcha" }, { captcha: { siteKey: "site" } }],
  ...["recaptcha", "turnstile"].map((provider): [Variables, object] => [
    { ...likesSite, ...keys, CAPTCHA_PROVIDER: provider },
    { captcha: { ...siteverify, provider } },
  ]),
  // Without live delivery, the public test keys are possible.
  [{ ...turnstile, CAPTCHA_SITE_KEY: testKey }, { captcha: { siteKey: testKey } }],
  [turnstile, { captcha: { hostnames: ["localhost"], allowLoopback: true } }],
  // Explicit hosts exclude loopback.
  [
    { ...turnstile, CAPTCHA_HOSTNAMES: "Likes.example.com, www.example.com" },
    { captcha: { hostnames: ["likes.example.com", "www.example.com"], allowLoopback: false } },
  ],
  [
    { SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "r&d@b.co", SUPPORT_EMAIL: "c@xn--d.co" },
    { mail: { smtpUrl: "smtp://mail.example.com", from: "r&d@b.co", to: "c@xn--d.co" } },
  ],
])("accepts %j", (variables, env) => {
  expect(parsed(variables).env).toMatchObject(env);
});

it.each<[variables: Variables, reason: string, build?: Variables]>([
  [{ SESSION_SECRET: undefined }, "SESSION_SECRET: is required"],
  [{ VISITOR_HASH_SECRET: `${secret},short` }, "32 characters"],
  [{ REDIS_URL: undefined }, "REDIS_URL: this setting, or both UPSTASH_REDIS_REST_*"],
  [upstash, "exclude each other"],
  ...["URL", "TOKEN"].map((end): [Variables, string] => [
    {
      [`UPSTASH_REDIS_REST_${end}`]: "https://x.example.com",
      [`KV_REST_API_${end}`]: "https://y.example.com",
    },
    `KV_REST_API_${end} is another name of UPSTASH_REDIS_REST_${end}, and the values differ: remove one of`,
  ]),
  ...secretSettings.flatMap((name): [Variables, string][] => [
    [{ [name]: secret, [`${name}_FILE`]: file("both", secret) }, `${name} and ${name}_FILE exclude`],
    [{ [name]: "", [`${name}_FILE`]: none }, `${name}_FILE: ${none} cannot be read (ENOENT)`],
  ]),
  // Reports all problems at once.
  [{ SESSION_SECRET_FILE: none, SESSION_SECRET: "", SITE_URL: "a" }, `(ENOENT)\nSITE_URL: must`],
  [
    { SESSION_SECRET: "", SESSION_SECRET_FILE: file("empty", "\n") },
    `SESSION_SECRET_FILE: ${folder}/empty is empty`,
  ],
  [{ SITE_NAME_FILE: "/name" }, "SITE_NAME_FILE: only secrets can be read from a file: set SITE_NAME"],
  [{ ...upstash, REDIS_URL: "", UPSTASH_REDIS_REST_TOKEN: "" }, "UPSTASH_REDIS_REST_TOKEN: needed for"],
  [{ DAILY_LIKE_LIMIT: "49" }, "between 50"],
  [{ MAX_REQUESTS_PER_IP_PER_DAY: "-1" }, "whole number"],
  [{ TRUSTED_IP_HEADER: "X-Forwarded-For" }, "set TRUSTED_PROXY_HOPS to the number of your proxies instead"],
  [{ TRUSTED_IP_HEADER: "x-real-ip", TRUSTED_PROXY_HOPS: "1" }, "exclude each other"],
  [{ NETLIFY: "1" }, "TRUSTED_IP_HEADER: required on a serverless host"],
  [{ VERCEL: "1" }, "CRON_SECRET: required on a serverless host"],
  [{ NETLIFY: "1", SITE_URL: "http://likes.example" }, "SITE_URL: required on a serverless host"],
  [{ VERCEL: "1", RECONCILE_EVERY_SECONDS: "60" }, "RECONCILE_EVERY_SECONDS: must be 0"],
  [
    { ...live, ...vercel, LIKE_WEBHOOK_TIMEOUT_MS: "12001" },
    "LIKE_WEBHOOK_TIMEOUT_MS: must be 12000 or less",
  ],
  [{ SITE_URL: "https://likes.example.com/" }, "write it as https://likes.example.com"],
  [{ SITE_URL: "https://bücher.example" }, "write it as https://xn--bcher-kva.example"],
  [{ ...http, POST_LOOKUP_SECRET: "short" }, "16 characters"],
  [{ ...http, POST_LOOKUP_SECRET: `${secret}é` }, "ASCII"],
  [{ ...http, POST_LOOKUP_URL: "ftp://x.example.com" }, "http"],
  ...[
    ["POST_LOOKUP_URL", http],
    ["LIKE_WEBHOOK_URL", live],
    ["UPSTASH_REDIS_REST_URL", { ...upstash, REDIS_URL: "" }],
    ["CAPTCHA_VERIFY_URL", {}],
    ["META_OEMBED_URL", {}],
  ].map(([name, settings]): [Variables, string] => [
    { ...(settings as Variables), [String(name)]: "https://me:pass@service.example.com" },
    `${String(name)}: must not hold a user name or password`,
  ]),
  [{ ...live, LIKE_WEBHOOK_URL: undefined }, "LIKE_WEBHOOK_URL"],
  [{ ...live, LIKE_WEBHOOK_SECRET: "secret" }, "whsec_"],
  [{ ...live, LIKE_DELIVERY_ACKNOWLEDGED: undefined }, "16 CFR 465.8"],
  [{ ...live, OPERATOR_ADDRESS: "" }, "needed for live"],
  [{ ...live, LIKE_DELIVERY_ACKNOWLEDGED: "true" }, "must be yes"],
  [{ ...live, CAPTCHA_MODE: "bypass" }, "only with enforce"],
  [{ CRON_SECRET: "short" }, "CRON_SECRET"],
  ...["with a space inside", "größer-als-16-zeichen", "control\u0007character"].flatMap((token) =>
    ["CRON_SECRET", "HEALTH_TOKEN"].map((name): [Variables, string] => [
      { [name]: token },
      `${name}: must be visible ASCII characters without spaces`,
    ]),
  ),
  [{ REDIS_URL: "http://127.0.0.1:6379" }, "must be a redis:// or rediss:// address"],
  [{ REDIS_URL: "rediss://127.0.0.1:6379/0?ssl_cert_reqs=none" }, "NODE_EXTRA_CA_CERTS"],
  [{ REDIS_URL: "redis://127.0.0.1:6379/likes" }, "the number of a database"],
  [{ REDIS_URL: "redis://site@127.0.0.1:6379" }, "names a user without a password"],
  [{ REDIS_URL: "redis://:100%@127.0.0.1:6379" }, "as %25, %40 and so on"],
  [{ REDIS_SENTINELS: "a:26379" }, "with REDIS_SENTINELS the host must be the primary's name"],
  [{ REDIS_SENTINELS: "http://a" }, "REDIS_SENTINELS: must be a list of host:port"],
  [{ REDIS_SENTINELS: "redis://:a@a,redis://:b@b" }, "must all have the same scheme, user and password"],
  [{ ...upstash, REDIS_URL: undefined, REDIS_SENTINELS: "b:26379" }, "needed for REDIS_SENTINELS"],
  [{ SMTP_URL: "smtp://x.example.com", MAIL_FROM: "a@b.co" }, "SUPPORT_EMAIL: needed for mail"],
  [{ CAPTCHA_PROVIDER: "recaptcha" }, "needed for CAPTCHA_PROVIDER=recaptcha"],
  [{ CAPTCHA_PROVIDER: "turnstile", CAPTCHA_SITE_KEY: "site" }, "CAPTCHA_SECRET_KEY: needed for"],
  [{ CAPTCHA_SECRET_KEY: "short" }, "CAPTCHA_SECRET_KEY: must have 32 characters"],
  [{ CAPTCHA_VERIFY_URL: "egress" }, "CAPTCHA_VERIFY_URL"],
  [{ CAPTCHA_HOSTNAMES: "https://example.com" }, "CAPTCHA_HOSTNAMES: must be"],
  ...[
    ["recaptcha", "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI", "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe"],
    ["turnstile", testKey, "1x0000000000000000000000000000000AA"],
  ].flatMap(([CAPTCHA_PROVIDER, CAPTCHA_SITE_KEY, CAPTCHA_SECRET_KEY]) =>
    ["CAPTCHA_SITE_KEY", "CAPTCHA_SECRET_KEY"].map((name): [Variables, string] => [
      { ...live, CAPTCHA_PROVIDER, CAPTCHA_SITE_KEY, CAPTCHA_SECRET_KEY },
      `${name}: this is the provider's public test key`,
    ]),
  ),
  // Such a build hides the demo banner.
  [{}, "demo banner", liveBuild],
  [trial, "rebuild for a trial", liveBuild],
  [{}, trialProblem, trial],
  // Without DEPLOYMENT, only the build says that this is a trial.
  ...otherMachines.flatMap((LIKE_WEBHOOK_URL): [Variables, string, Variables][] => [
    [{ ...trial, LIKE_WEBHOOK_URL }, trialProblem, trial],
    [{ ...live, LIKE_WEBHOOK_URL }, trialProblem, trial],
  ]),
  [{ ...trial, LIKE_DELIVERY_ACKNOWLEDGED: "" }, "LIKE_DELIVERY_ACKNOWLEDGED: live delivery needs", trial],
])("refuses %j: %s", (variables, reason, build = {}) => {
  expect(problemsOf(variables, build)).toContain(reason);
});

it.each<[Variables, warnings: RegExp[]]>([
  [{}, []],
  [{ TEST_COOLDOWN_SECONDS: "8" }, []],
  [
    { ...likesSite, TEST_COOLDOWN_SECONDS: "8" },
    [/^TEST_COOLDOWN_SECONDS is only for tests: unset it on a public site$/, /^SITE_URL differs/],
  ],
  [
    { ...http, POST_LOOKUP: "sandbox" },
    [
      /^POST_LOOKUP_URL is for POST_LOOKUP=http, but POST_LOOKUP is sandbox$/,
      /^POST_LOOKUP_SECRET is for POST_LOOKUP=http, but POST_LOOKUP is sandbox$/,
    ],
  ],
  [
    live,
    [
      /^OPERATOR_NAME differs/,
      /^OPERATOR_ADDRESS differs/,
      /^LIKE_DELIVERY differs/,
      /^POST_LOOKUP is sandbox/,
    ],
  ],
])(
  "warns about test settings on a site with https, about unused settings and about another build: %j",
  (variables, warnings) => {
    expect(parsed(variables).warnings).toEqual(warnings.map((text) => expect.stringMatching(text) as string));
  },
);

it.each([
  ["DAILY_LIKES_LIMIT", "DAILY_LIKE_LIMIT"],
  ["SUITE_NAME", null],
  ["NEXT_PUBLIC_SITE_URL", null],
])("refuses the unknown name %s only if it resembles an unset setting", (name, meant) => {
  const expected = meant ? `${name}: there is no such setting; did you mean ${meant}?` : "";
  expect(problemsOf({ ...upstash, REDIS_URL: "", [name]: "10" })).toBe(expected);
});

describe("build settings", () => {
  const invalidValues: Record<string, string[]> = {
    SITE_URL: ["example.com", "https://example.com/likes"],
    SITE_NAME: ["</script >", "a\u0007b", "n".repeat(61)],
    SUPPORT_EMAIL: ["support", "https://example.com/help"],
    OPERATOR_NAME: ["<b>", "n".repeat(121)],
    OPERATOR_ADDRESS: ["1 Street\nCity", "n".repeat(251)],
    CAPTCHA_PROVIDER: ["guess"],
    POST_LOOKUP: ["scrape"],
    POST_LOOKUP_IMAGE_HOSTS: ["https://x.example.com", "*", "*.com"],
    LIKE_DELIVERY: ["webhok"],
    GTM_ID: ["UA-12345-6"],
    ADS_CLIENT: ["pub-1234567890123456"],
    ADS_SLOT_HEADER: ["header"],
    ADS_SLOT_TOOL: ["tool"],
    DEPLOYMENT: ["staging"],
  };

  it.each(buildSettingNames)("%s: an invalid value stops the build and the start of the server", (name) => {
    expect(invalidValues[name]?.length).toBeGreaterThan(0);
    for (const value of invalidValues[name] ?? []) {
      expect(() => parseBuildSettings({ [name]: value })).toThrow(`${name}: must`);
      expect(problemsOf({ [name]: value })).toContain(`${name}: must`);
    }
  });

  it.each([
    [{ ADS_SLOT_TOOL: "12345" }, /ADS_CLIENT: needed for ADS_SLOT_TOOL/],
    [{ ADS_CLIENT: "ca-pub-1234567890" }, /ADS_CLIENT alone shows no ads/],
  ])("%j stop both with all problems", (build, problems) => {
    expect(() => parseBuildSettings(build)).toThrow(problems);
    expect(problemsOf(build)).toMatch(problems);
  });

  it("passes the name, address and operator of the site to pages", () => {
    expect(getSiteSettings(parseBuildSettings({ SITE_NAME: " " }))).toMatchObject({
      siteUrl: "http://localhost:3000",
      siteName: "Boost50",
      supportEmail: "support@example.com",
      demoMode: "demo",
      captchaProvider: "altcha",
    });
    const own = { SITE_URL: "https://likes.example", SITE_NAME: "Tom & Ada's", SUPPORT_EMAIL: "a@b.co" };
    expect(getSiteSettings(parseBuildSettings({ ...own, ...operator }))).toMatchObject({
      ...{ siteUrl: own.SITE_URL, siteName: own.SITE_NAME, supportEmail: own.SUPPORT_EMAIL },
      operator: { name: operator.OPERATOR_NAME },
    });
  });
});

it("runs a preview build as a preview, even when the host sets no preview variable", () => {
  const build = parseBuildSettings({ ...operator, DEPLOYMENT: "preview", SITE_URL: "https://copy.example" });
  const result = parseEnv({ ...required, ...live, SITE_URL: "https://likes.example" }, build);
  expect(result).toMatchObject({
    ok: true,
    env: { siteUrl: "https://copy.example", delivery: { kind: "dry-run" } },
    warnings: [],
  });
});

it("delivers orders in a local trial, and shows the trial banner with any lookup", () => {
  const build = parseBuildSettings(trial);
  expect(parseEnv({ ...required, ...trial, DEPLOYMENT: undefined }, build)).toMatchObject({
    ok: true,
    env: { delivery: { kind: "webhook", url: trial.LIKE_WEBHOOK_URL } },
    warnings: [],
  });
  expect(getSiteSettings(build).demoMode).toBe("trial");
  expect(getSiteSettings({ ...build, POST_LOOKUP: "oembed" }).demoMode).toBe("trial");
});
