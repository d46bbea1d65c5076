import type { Reply } from "@/testing/servers/http-double";
import { refusal, startSiteverify, type SiteverifyServer } from "@/testing/servers/siteverify-server";
import * as client from "@/lib/server/http/http-client";
import { createRemoteCaptcha, type SiteverifySettings } from "./siteverify";

const secret = "secret-of-the-site";
const host = "likes.example.com";
const invalidBody = "HTTP 200 with an invalid body";

jest.mock("@/lib/server/http/http-client", () => {
  const actual = jest.requireActual<typeof client>("@/lib/server/http/http-client");
  return { ...actual, sendRequest: jest.fn(actual.sendRequest) };
});
const sendRequest = jest.mocked(client.sendRequest);

describe.each([
  {
    name: "recaptcha" as const,
    tokenLife: 120,
    testKey: "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
    official: "https://www.google.com/recaptcha/api/siteverify",
  },
  {
    name: "turnstile" as const,
    tokenLife: 300,
    testKey: "1x0000000000000000000000000000000AA",
    official: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  },
])("$name", ({ name, tokenLife, testKey, official }) => {
  let server: SiteverifyServer;

  beforeEach(async () => {
    server = await startSiteverify(name, secret);
  });
  afterEach(() => server.stop());

  function check(token: string, requestHost = host, settings: Partial<SiteverifySettings> = {}) {
    const keys = { siteKey: "site-key", secretKey: secret, verifyUrl: server.url };
    const site = { provider: name, hostnames: [host], allowLoopback: true };
    return createRemoteCaptcha({ ...keys, ...site, ...settings }).check(token, requestHost);
  }

  it("accepts tokens of this site with an id of each token, and sends only secret and token", async () => {
    const tokens = [server.issue({ hostname: host }), server.issue({ hostname: host })];
    const ids: string[] = [];
    for (const token of tokens) {
      const passed = await check(token);
      expect(passed).toMatchObject({ outcome: "passed", expiresInSeconds: tokenLife });
      ids.push((passed as { uniqueId: string }).uniqueId);
    }
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[\w-]{43}$/) as string));
    expect(new Set(ids).size).toBe(2);
    const type = "application/x-www-form-urlencoded;charset=UTF-8";
    expect(server.requests[0]).toMatchObject({ method: "POST", headers: { "content-type": type } });
    expect([...server.requests[0]!.query]).toEqual([]);
    expect([...new URLSearchParams(server.requests[0]!.body)]).toEqual([
      ["secret", secret],
      ["response", tokens[0]],
    ]);
  });

  it("sends tokens to the provider's documented address", async () => {
    sendRequest.mockRejectedValueOnce(new Error());
    await check("token", host, { verifyUrl: undefined });
    expect(sendRequest.mock.lastCall?.[0]).toBe(official);
  });

  it.each<[reason: string, body: object]>([
    ...["missing-input-response", "invalid-input-response", "timeout-or-duplicate", "bad-request"].map(
      (code): [string, object] => [code, refusal(code)],
    ),
    ["no known code", refusal()],
    ["no known code", refusal("a-future-code")],
  ])("rejects a token that the provider refuses: %s, %j", async (reason, body) => {
    server.respond({ body });
    expect(await check("token")).toEqual({ outcome: "rejected", reason });
  });

  it.each<[reason: string, Reply]>([
    ...["missing-input-secret", "invalid-input-secret", "internal-error"].flatMap(
      (code): [string, Reply][] => [
        [code, { body: refusal(code) }],
        [code, { body: refusal("invalid-input-response", code) }],
      ],
    ),
    ["invalid-input-secret", { status: 400, body: refusal("invalid-input-secret") }],
    ["HTTP 500", { status: 500, body: refusal("invalid-input-response") }],
    ["HTTP 429", { status: 429 }],
    [invalidBody, "junk"],
    [invalidBody, { body: { success: "true", hostname: host } }],
    [invalidBody, { body: `{"success":true,"x":"${"x".repeat(20_000)}"}` }],
    ["HTTP 403 with an invalid body", { status: 403, body: { success: true, hostname: host } }],
    ["no connection (UND_ERR_SOCKET)", "drop"],
    ["no connection (UND_ERR_SOCKET)", "cut"],
    ["HTTP 307", "redirect"],
    ["no answer in time", "stall"],
  ])("returns unavailable, not rejected, in time: %s (%#)", async (reason, reply) => {
    server.respond(reply);
    const start = performance.now();
    expect(await check("token")).toEqual({ outcome: "unavailable", reason });
    expect(performance.now() - start).toBeLessThan(1_800);
    expect(server.requests.map(({ path }) => path)).toEqual(["/siteverify"]);
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
    // The tokens of the public test keys have the hostname of the provider.
    ["passed", "testkey.example.com", host, { secretKey: testKey }],
  ])(
    "compares the hostname: %s for a token solved on %s, sent to %s",
    async (outcome, hostname, ...request) => {
      server.respond({ body: { success: true, hostname, action: "verify" } });
      const reason = "solved on a host that CAPTCHA_HOSTNAMES does not name";
      expect(await check("token", ...request)).toMatchObject(
        outcome === "passed" ? { outcome } : { outcome, reason },
      );
    },
  );

  const needsAction = name === "turnstile";
  it(`${needsAction ? "rejects" : "accepts"} a token of another action, and a token of 2,049 characters`, async () => {
    for (const action of ["login", undefined])
      expect(await check(server.issue({ hostname: host, action }))).toMatchObject(
        needsAction ? { outcome: "rejected", reason: "solved for another action" } : { outcome: "passed" },
      );
    const before = server.requests.length;
    expect(await check("x".repeat(2_049))).toMatchObject({ outcome: "rejected" });
    expect(server.requests).toHaveLength(before + (needsAction ? 0 : 1));
  });
});
