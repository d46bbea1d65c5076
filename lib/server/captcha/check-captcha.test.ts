import { RedisClient } from "@/lib/server/redis/client";
import { startRedis, type RedisServer } from "@/testing/servers/redis-server";
import { startSiteverify, type SiteverifyServer } from "@/testing/servers/siteverify-server";
import { AppError } from "@/lib/http/errors";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { checkCaptcha, type CaptchaCheck, type CaptchaProvider, type CheckLimits } from "./check-captcha";
import { createRemoteCaptcha } from "./siteverify";

const secretKey = "secret-of-the-site";
const host = "likes.example.com";

let server: RedisServer;
let requester: ReturnType<typeof createTcpRequester>;
let redis: RedisClient;
let siteverify: SiteverifyServer;
let lines: string[];

beforeAll(async () => {
  server = await startRedis();
  requester = createTcpRequester(server.url);
  redis = new RedisClient(requester);
  siteverify = await startSiteverify({ provider: "turnstile", secret: secretKey });
});
afterAll(async () => {
  requester?.close();
  await siteverify?.stop();
  await server?.stop();
});
beforeEach(() => {
  siteverify.respond("verify");
  lines = [];
  jest.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => jest.restoreAllMocks());

interface CheckOptions {
  provider?: CaptchaProvider;
  settings?: Partial<Parameters<typeof checkCaptcha>[3]>;
  rateLimits?: CheckLimits;
}

function check(token: string, { provider = turnstile(), settings, rateLimits }: CheckOptions = {}) {
  const complete = { mode: "enforce", onProviderError: "deny", ...settings } as const;
  return checkCaptcha({ token, host }, provider, redis, complete, rateLimits);
}

function turnstile(): CaptchaProvider {
  return createRemoteCaptcha({
    provider: "turnstile",
    siteKey: "site-key",
    secretKey,
    verifyUrl: siteverify.url,
    hostnames: [host],
    allowLoopback: false,
  });
}

const issue = () => siteverify.issue({ hostname: host });

it("accepts a token only once, even if the provider accepts it again, and stores a mark that expires", async () => {
  const token = issue();
  await expect(check(token)).resolves.toEqual({ success: true });
  siteverify.respond({ body: { success: true, hostname: host, action: "verify" } });
  await expect(check(token)).rejects.toMatchObject({ code: "captcha_rejected" });
  const [key = ""] = await redis.keys("{captcha}:used:*");
  expect(key).not.toContain(token);
  expect(await redis.ttl(key)).toBeGreaterThan(300);
  expect(await redis.ttl(key)).toBeLessThanOrEqual(360);
});

describe("with a rate limit", () => {
  const count = jest.fn<Promise<void>, [string]>();
  const rateLimits = { address: "address", accepted: 1, count };
  const overLimit = new AppError("rate_limited");
  const localProvider = (outcome: CaptchaCheck) =>
    ({ checksLocally: true, check: () => Promise.resolve(outcome) }) as unknown as CaptchaProvider;
  const checkLocally = (outcome: CaptchaCheck) =>
    check("token", { provider: localProvider(outcome), rateLimits });
  const passed = (uniqueId: string) => ({ outcome: "passed", uniqueId, expiresInSeconds: 60 }) as const;

  beforeEach(async () => {
    count.mockReset().mockResolvedValue();
    await redis.flushall();
  });

  it("sends no request to a remote provider above the rate limit", async () => {
    count.mockRejectedValue(overLimit);
    const before = siteverify.requests.length;
    await expect(check(issue(), { rateLimits })).rejects.toBe(overLimit);
    expect(siteverify.requests).toHaveLength(before);
  });

  it("counts accepted and rejected checks of a local provider apart, and uses no token above the limit", async () => {
    await expect(checkLocally(passed("first"))).resolves.toEqual({ success: true });
    expect(count).not.toHaveBeenCalled();
    const refusal = { code: "rate_limited", retryAfterSeconds: 60 };
    await expect(checkLocally(passed("second"))).rejects.toMatchObject(refusal);
    expect(await redis.keys("{captcha}:used:*")).toEqual(["{captcha}:used:first"]);

    await expect(checkLocally(passed("first"))).rejects.toMatchObject({ code: "captcha_rejected" });
    count.mockRejectedValue(overLimit);
    await expect(checkLocally({ outcome: "rejected", reason: "wrong" })).rejects.toBe(overLimit);
    expect(count.mock.calls).toEqual([["rejectedVerify"], ["rejectedVerify"]]);
    await redis.del("{captcha}:accepted:address");
    await expect(checkLocally(passed("second"))).resolves.toEqual({ success: true });
  });
});

it("rejects a bad token even if provider errors are allowed", async () => {
  const bad = check("made-up", { settings: { onProviderError: "allow" } });
  await expect(bad).rejects.toMatchObject({ code: "captcha_rejected", status: 403 });
});

it('throws a 503 error if the provider fails, but only logs the failure if onProviderError is "allow"', async () => {
  siteverify.respond("error");
  const error = { code: "captcha_unavailable", status: 503, retryAfterSeconds: 10 };
  await expect(check(issue())).rejects.toMatchObject(error);
  const token = issue();
  const allowed = check(token, { settings: { onProviderError: "allow" } });
  await expect(allowed).resolves.toEqual({ success: true, error_bypass: true });
  expect(lines.join("")).toContain('"event":"captcha skipped","provider":"turnstile","cause":"HTTP 500"');
  expect(lines.join("")).not.toContain(token);
});

it.each([
  ["dev", { success: true, dev_mode: true }],
  ["bypass", { success: true, bypass_mode: true }],
] as const)("sends no request to the provider in mode %s", async (mode, reply) => {
  const before = siteverify.requests.length;
  await expect(check("anything", { settings: { mode } })).resolves.toEqual(reply);
  expect(siteverify.requests).toHaveLength(before);
});
