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
    expect(server.requests).toEqual([
      {
        method: "POST",
        contentType: "application/x-www-form-urlencoded;charset=UTF-8",
        fields: { secret, response: token },
      },
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

  it.each(["missing-input-response", "invalid-input-response", "timeout-or-duplicate", "bad-request"])(
    "rejects the token at %s",
    async (code) => {
      server.respond({ body: refusal(code) });
      expect(await check("token")).toEqual({ outcome: "rejected", reason: code });
    },
  );

  it.each(["missing-input-secret", "invalid-input-secret", "internal-error"])(
    "does not blame the visitor for %s, also beside a code that would",
    async (code) => {
      for (const body of [refusal(code), refusal("invalid-input-response", code)]) {
        server.respond({ body });
        expect(await check("token")).toEqual({ outcome: "unavailable", reason: code });
      }
    },
  );

  it("reads the codes of a refusal with status 400, too", async () => {
    server.respond({ status: 400, body: refusal("invalid-input-secret") });
    expect(await check("token")).toEqual({ outcome: "unavailable", reason: "invalid-input-secret" });
  });

  it.each([[[]], [["a-code-of-tomorrow"]]])(
    "keeps to a no with the codes %j, without repeating them",
    async (codes) => {
      server.respond({ body: refusal(...codes) });
      expect(await check("token")).toEqual({ outcome: "rejected", reason: "no known code" });
    },
  );

  it.each([
    ["a failure", { status: 500, body: refusal("invalid-input-response") }, "HTTP 500"],
    ["too many requests", { status: 429 }, "HTTP 429"],
    ["junk", { body: "<html>Sorry</html>" }, "HTTP 200 with an unreadable answer"],
    ["another shape", { body: { success: "true", hostname: host } }, "HTTP 200 with an unreadable answer"],
    ["an endless answer", { body: `{"success":true,"x":"${"x".repeat(20_000)}"}` }, "unreadable"],
    ["a yes with status 403", { status: 403, body: { success: true, hostname: host } }, "HTTP 403"],
    ["a broken connection", "drop" as const, "no connection"],
  ])("is unavailable at %s", async (_, reply, reason) => {
    server.respond(reply);
    expect(await check("token")).toEqual({
      outcome: "unavailable",
      reason: expect.stringContaining(reason) as string,
    });
  });

  it("is unavailable when nobody listens", async () => {
    await server.stop();
    expect(await check("token")).toEqual({ outcome: "unavailable", reason: "no connection" });
  });

  it.each(["hang", "stall"] as const)("gives up on an answer that does not come (%s)", async (reply) => {
    server.respond(reply);
    const start = performance.now();
    expect(await check("token")).toEqual({ outcome: "unavailable", reason: "no answer in time" });
    expect(performance.now() - start).toBeLessThan(1_800);
  });

  it("follows no redirect: the secret stays with the configured address", async () => {
    const elsewhere = await startSiteverify({ provider: name, secret });
    server.respond({ status: 307, headers: { location: elsewhere.url } });
    expect(await check("token")).toEqual({ outcome: "unavailable", reason: "HTTP 307" });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });

  describe("the host of the check", () => {
    const solvedOn = (hostname: string | undefined) => server.issue({ hostname });
    const outcome = async (...args: Parameters<typeof check>) => (await check(...args)).outcome;

    it("must be one of the site's, in whatever case", async () => {
      expect(await outcome(solvedOn("LIKES.example.com"))).toBe("passed");
      expect(await check(solvedOn("evil.example.com"))).toEqual({
        outcome: "rejected",
        reason: "solved on a host that CAPTCHA_HOSTNAMES does not name",
      });
      expect(await outcome(solvedOn(undefined))).toBe("rejected");
    });

    it("is not taken from the request, except on loopback", async () => {
      expect(await outcome(solvedOn("evil.example.com"), "evil.example.com")).toBe("rejected");
      expect(await outcome(solvedOn("localhost"), "localhost:3000")).toBe("passed");
      expect(await outcome(solvedOn("127.0.0.1"), "127.0.0.1:3000")).toBe("passed");
      expect(await outcome(solvedOn("localhost"), host)).toBe("rejected");
      expect(await outcome(solvedOn("localhost"), "not a host")).toBe("rejected");
      expect(await outcome(solvedOn("127.0.0.1.example.com"), "127.0.0.1.example.com")).toBe("rejected");
    });

    it("is the configured one alone where hosts are configured", async () => {
      expect(await outcome(solvedOn("localhost"), "localhost", { allowLoopback: false })).toBe("rejected");
    });
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

describe("turnstile", () => {
  it("rejects what was solved for another action, or is longer than its tokens are", async () => {
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
});
