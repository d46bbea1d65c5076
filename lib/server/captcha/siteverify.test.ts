import { silences, type Reply } from "@/e2e/support/http-double";
import {
  refusal,
  startSiteverify,
  type SiteverifyProvider,
  type SiteverifyServer,
} from "@/e2e/support/siteverify-server";
import type { CaptchaProvider } from "./captcha";
import { createRecaptcha } from "./recaptcha";
import type { SiteverifySettings } from "./siteverify";
import { createTurnstile } from "./turnstile";

const secret = "secret-of-the-site";
const host = "likes.example.com";

describe.each([
  { name: "recaptcha" as const, create: createRecaptcha, tokenLife: 120 },
  { name: "turnstile" as const, create: createTurnstile, tokenLife: 300 },
])("$name", ({ name, create, tokenLife }) => {
  let server: SiteverifyServer;

  beforeEach(async () => {
    server = await startSiteverify({ provider: name, secret });
  });
  afterEach(() => server.stop());

  function provider(settings: Partial<SiteverifySettings> = {}): CaptchaProvider {
    return create({
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

  it("names itself and its site key, and makes no challenges", () => {
    expect(provider()).toMatchObject({ name, siteKey: "site-key" });
    expect(provider().createChallenge).toBeUndefined();
  });

  it("lets a token of this site pass, and sends nothing but secret and token", async () => {
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

  it("gives every token a name of its own, which does not hold it", async () => {
    const [first, second] = [server.issue({ hostname: host }), server.issue({ hostname: host })];
    const names = await Promise.all([check(first), check(second)]);
    expect(new Set(names.map((passed) => JSON.stringify(passed))).size).toBe(2);
    expect(JSON.stringify(names)).not.toContain(first);
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
    ["a code that is not repeated", refusal("a-code-of-tomorrow"), "no known code"],
  ])("rejects the token at a no with %s", async (code, body, reason = code) => {
    server.respond({ body });
    expect(await check("token")).toEqual({ outcome: "rejected", reason });
  });

  const unreadable = "HTTP 200 with an unreadable answer";
  it.each<[string, Reply, string]>([
    ...["missing-input-secret", "invalid-input-secret", "internal-error"].flatMap(
      (code): [string, Reply, string][] => [
        [code, { body: refusal(code) }, code],
        [`${code} beside a visitor's`, { body: refusal("invalid-input-response", code) }, code],
      ],
    ),
    [
      "a code with status 400",
      { status: 400, body: refusal("invalid-input-secret") },
      "invalid-input-secret",
    ],
    ["a failure", { status: 500, body: refusal("invalid-input-response") }, "HTTP 500"],
    ["too many requests", { status: 429 }, "HTTP 429"],
    ["junk", "junk", unreadable],
    ["another shape", { body: { success: "true", hostname: host } }, unreadable],
    ["an endless answer", { body: `{"success":true,"x":"${"x".repeat(20_000)}"}` }, unreadable],
    [
      "a yes with status 403",
      { status: 403, body: { success: true, hostname: host } },
      "HTTP 403 with an unreadable answer",
    ],
    ["a broken connection", "drop", "no connection"],
    ["a broken body", "cut", "no connection"],
    ["a redirect", "redirect", "HTTP 307"],
  ])("does not blame the visitor for %s", async (_, reply, reason) => {
    server.respond(reply);
    expect(await check("token")).toEqual({ outcome: "unavailable", reason });
    // The secret stays with the configured address.
    expect(server.requests.map(({ path }) => path)).toEqual(["/siteverify"]);
  });

  it("is unavailable when nobody listens", async () => {
    await server.stop();
    expect(await check("token")).toEqual({ outcome: "unavailable", reason: "no connection" });
  });

  it.each(silences)("gives up on an answer that does not come (%s)", async (reply) => {
    server.respond(reply);
    const start = performance.now();
    expect(await check("token")).toEqual({ outcome: "unavailable", reason: "no answer in time" });
    expect(performance.now() - start).toBeLessThan(1_800);
  });

  it.each<["passed" | "rejected", string | undefined, string?, Partial<SiteverifySettings>?]>([
    ["passed", "LIKES.example.com"],
    ["rejected", "evil.example.com"],
    ["rejected", undefined],
    // The request's own host counts on loopback alone, and only where no host is configured.
    ["rejected", "evil.example.com", "evil.example.com"],
    ["passed", "localhost", "localhost:3000"],
    ["passed", "127.0.0.1", "127.0.0.1:3000"],
    ["rejected", "localhost", host],
    ["rejected", "localhost", "not a host"],
    ["rejected", "127.0.0.1.example.com", "127.0.0.1.example.com"],
    ["rejected", "localhost", "localhost", { allowLoopback: false }],
  ])("has to be solved on the site's host: %s on %s, asked at %s", async (outcome, hostname, ...request) => {
    const reason = "solved on a host that CAPTCHA_HOSTNAMES does not name";
    expect(await check(server.issue({ hostname }), ...request)).toMatchObject(
      outcome === "passed" ? { outcome } : { outcome, reason },
    );
  });

  it("takes the public test keys' answers as they are: they name hosts of the provider's own", async () => {
    const testKeys: Record<SiteverifyProvider, string> = {
      recaptcha: "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
      turnstile: "1x0000000000000000000000000000000AA",
    };
    server.respond({ body: { success: true, hostname: "testkey.example.com" } });
    expect((await check("token", host, { secretKey: testKeys[name] })).outcome).toBe("passed");
  });
});

it("turnstile rejects what was solved for another action, or is longer than its tokens are", async () => {
  const server = await startSiteverify({ provider: "turnstile", secret });
  const turnstile = createTurnstile({
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
  const asked = server.requests.length;
  expect(await turnstile.check("x".repeat(2_049), host)).toMatchObject({ outcome: "rejected" });
  expect(server.requests).toHaveLength(asked);
  await server.stop();
});
