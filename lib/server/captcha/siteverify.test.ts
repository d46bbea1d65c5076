import { silences, type Reply } from "@/testing/servers/http-double";
import {
  refusal,
  startSiteverify,
  type SiteverifyProvider,
  type SiteverifyServer,
} from "@/testing/servers/siteverify-server";
import type { CaptchaProvider } from "./check-captcha";
import { createRemoteCaptcha, type SiteverifySettings } from "./siteverify";

const secret = "secret-of-the-site";
const host = "likes.example.com";

describe.each([
  { name: "recaptcha" as const, tokenLife: 120 },
  { name: "turnstile" as const, tokenLife: 300 },
])("$name", ({ name, tokenLife }) => {
  let server: SiteverifyServer;

  beforeEach(async () => {
    server = await startSiteverify({ provider: name, secret });
  });
  afterEach(() => server.stop());

  function provider(settings: Partial<SiteverifySettings> = {}): CaptchaProvider {
    return createRemoteCaptcha({
      provider: name,
      siteKey: "site-key",
      secretKey: secret,
      verifyUrl: server.url,
      hostnames: [host],
      allowLoopback: true,
      ...settings,
    });
  }

  const check = (token: string, requestHost = host, settings?: Partial<SiteverifySettings>) =>
    provider(settings).check(token, requestHost);

  it("has a name and a site key, and creates no challenges", () => {
    expect(provider()).toMatchObject({ name, siteKey: "site-key" });
    expect(provider().createChallenge).toBeUndefined();
  });

  it("accepts a token of this site, and sends only secret and token", async () => {
    const token = server.issue({ hostname: host });
    expect(await check(token)).toEqual({
      outcome: "passed",
      uniqueId: expect.stringMatching(/^[\w-]{43}$/) as string,
      expiresInSeconds: tokenLife,
    });
    const type = "application/x-www-form-urlencoded;charset=UTF-8";
    expect(server.requests).toMatchObject([{ method: "POST", headers: { "content-type": type } }]);
    expect([...server.requests[0]!.query]).toEqual([]);
    expect([...new URLSearchParams(server.requests[0]!.body)]).toEqual([
      ["secret", secret],
      ["response", token],
    ]);
  });

  it("returns a unique id for each token, and the id does not contain the token", async () => {
    const [first, second] = [server.issue({ hostname: host }), server.issue({ hostname: host })];
    const checks = await Promise.all([check(first), check(second)]);
    expect(new Set(checks.map((passed) => JSON.stringify(passed))).size).toBe(2);
    expect(JSON.stringify(checks)).not.toContain(first);
  });

  it("rejects a token that was used before", async () => {
    const token = server.issue({ hostname: host });
    await check(token);
    expect(await check(token)).toEqual({ outcome: "rejected", reason: "timeout-or-duplicate" });
  });

  it.each<[string, object, string?]>([
    ...["missing-input-response", "invalid-input-response", "timeout-or-duplicate", "bad-request"].map(
      (code): [string, object] => [code, refusal(code)],
    ),
    ["no code", refusal(), "no known code"],
    ["an unknown code", refusal("a-future-code"), "no known code"],
  ])("rejects a token that the provider refuses with %s", async (code, body, reason = code) => {
    server.respond({ body });
    expect(await check("token")).toEqual({ outcome: "rejected", reason });
  });

  const invalidBody = "HTTP 200 with an invalid body";
  it.each<[string, Reply, string]>([
    ...["missing-input-secret", "invalid-input-secret", "internal-error"].flatMap(
      (code): [string, Reply, string][] => [
        [code, { body: refusal(code) }, code],
        [`${code} and a token code`, { body: refusal("invalid-input-response", code) }, code],
      ],
    ),
    [
      "a code with status 400",
      { status: 400, body: refusal("invalid-input-secret") },
      "invalid-input-secret",
    ],
    ["status 500", { status: 500, body: refusal("invalid-input-response") }, "HTTP 500"],
    ["too many requests", { status: 429 }, "HTTP 429"],
    ["a body that is not JSON", "junk", invalidBody],
    ["a body of the wrong type", { body: { success: "true", hostname: host } }, invalidBody],
    ["a body that is too large", { body: `{"success":true,"x":"${"x".repeat(20_000)}"}` }, invalidBody],
    [
      "success with status 403",
      { status: 403, body: { success: true, hostname: host } },
      "HTTP 403 with an invalid body",
    ],
    ["a broken connection", "drop", "no connection (UND_ERR_SOCKET)"],
    ["a broken body", "cut", "no connection (UND_ERR_SOCKET)"],
    ["a redirect", "redirect", "HTTP 307"],
  ])("returns unavailable, not rejected, after %s", async (_, reply, reason) => {
    server.respond(reply);
    expect(await check("token")).toEqual({ outcome: "unavailable", reason });
    expect(server.requests.map(({ path }) => path)).toEqual(["/siteverify"]);
  });

  it("returns unavailable when the connection is refused", async () => {
    await server.stop();
    const reason = "no connection (ECONNREFUSED)";
    expect(await check("token")).toEqual({ outcome: "unavailable", reason });
  });

  it.each(silences)("times out when the response does not arrive (%s)", async (reply) => {
    server.respond(reply);
    const start = performance.now();
    expect(await check("token")).toEqual({ outcome: "unavailable", reason: "no answer in time" });
    expect(performance.now() - start).toBeLessThan(1_800);
  });

  it.each<["passed" | "rejected", string | undefined, string?, Partial<SiteverifySettings>?]>([
    ["passed", "LIKES.example.com"],
    ["rejected", "evil.example.com"],
    ["rejected", undefined],
    // Any other hostname must be a loopback name and equal the host of the request.
    ["rejected", "evil.example.com", "evil.example.com"],
    ["passed", "localhost", "localhost:3000"],
    ["passed", "127.0.0.1", "127.0.0.1:3000"],
    ["rejected", "localhost", host],
    ["rejected", "localhost", "not a host"],
    ["rejected", "127.0.0.1.example.com", "127.0.0.1.example.com"],
    ["rejected", "localhost", "localhost", { allowLoopback: false }],
  ])(
    "compares the hostname: %s for a token solved on %s, sent to %s",
    async (outcome, hostname, ...request) => {
      const reason = "solved on a host that CAPTCHA_HOSTNAMES does not name";
      expect(await check(server.issue({ hostname }), ...request)).toMatchObject(
        outcome === "passed" ? { outcome } : { outcome, reason },
      );
    },
  );

  it("skips the hostname check for the public test keys, whose tokens carry the provider's hostname", async () => {
    const testKeys: Record<SiteverifyProvider, string> = {
      recaptcha: "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
      turnstile: "1x0000000000000000000000000000000AA",
    };
    server.respond({ body: { success: true, hostname: "testkey.example.com" } });
    expect((await check("token", host, { secretKey: testKeys[name] })).outcome).toBe("passed");
  });
});

it("turnstile rejects a token that was solved for another action, or that is too long", async () => {
  const server = await startSiteverify({ provider: "turnstile", secret });
  const turnstile = createRemoteCaptcha({
    provider: "turnstile",
    siteKey: "site-key",
    secretKey: secret,
    verifyUrl: server.url,
    hostnames: [host],
    allowLoopback: false,
  });
  for (const action of ["login", undefined]) {
    expect(await turnstile.check(server.issue({ hostname: host, action }), host)).toEqual({
      outcome: "rejected",
      reason: "solved for another action",
    });
  }
  const requestsBefore = server.requests.length;
  expect(await turnstile.check("x".repeat(2_049), host)).toMatchObject({ outcome: "rejected" });
  expect(server.requests).toHaveLength(requestsBefore);
  await server.stop();
});
