import { AppError } from "@/lib/http/errors";
import { useTransport } from "@/testing/test-transports";
import { checkCaptcha, type CaptchaCheck, type CaptchaProvider } from "./check-captcha";

const transport = useTransport();
beforeEach(() => {
  jest.resetAllMocks();
  count.mockResolvedValue();
});

const count = jest.fn<Promise<void>, [string]>();
const checkToken = jest.fn<Promise<CaptchaCheck>, [string, string]>();
const overLimit = new AppError("rate_limited");
const passed = (uniqueId: string): CaptchaCheck => ({ outcome: "passed", uniqueId, expiresInSeconds: 300 });
const unavailable: CaptchaCheck = { outcome: "unavailable", reason: "HTTP 500" };
const rejected: CaptchaCheck = { outcome: "rejected", reason: "wrong" };
const refused = { code: "captcha_rejected", status: 403 };

/** Checks a token whose check by the provider has this outcome. */
function check(
  outcome: CaptchaCheck,
  settings: Partial<Parameters<typeof checkCaptcha>[3]> = {},
  checksLocally = false,
) {
  checkToken.mockResolvedValue(outcome);
  const provider: CaptchaProvider = { name: "turnstile", siteKey: "key", checksLocally, check: checkToken };
  const complete = { mode: "enforce", onProviderError: "deny", ...settings } as const;
  const token = { token: "the token", host: "likes.example.com" };
  return checkCaptcha(token, provider, transport.redis, complete, { address: "address", accepted: 1, count });
}

it("accepts a token only once, even if the provider accepts it again, and stores a mark that expires", async () => {
  await expect(check(passed("id"))).resolves.toEqual({ success: true });
  expect(count.mock.calls).toEqual([["verify"]]);
  await expect(check(passed("id"))).rejects.toMatchObject(refused);
  expect(await transport.redis.keys("{captcha}:used:*")).toEqual(["{captcha}:used:id"]);
  expect(await transport.redis.ttl("{captcha}:used:id")).toBeGreaterThan(300);
  expect(await transport.redis.ttl("{captcha}:used:id")).toBeLessThanOrEqual(360);
});

it("sends no request to a remote provider above the rate limit", async () => {
  count.mockRejectedValue(overLimit);
  await expect(check(passed("id"))).rejects.toBe(overLimit);
  expect(checkToken).not.toHaveBeenCalled();
});

it("counts accepted and rejected checks of a local provider apart, and uses no token above the limit", async () => {
  const checkLocally = (outcome: CaptchaCheck) => check(outcome, {}, true);
  await expect(checkLocally(passed("first"))).resolves.toEqual({ success: true });
  expect(count).not.toHaveBeenCalled();
  const refusal = { code: "rate_limited", retryAfterSeconds: 60 };
  await expect(checkLocally(passed("second"))).rejects.toMatchObject(refusal);
  expect(await transport.redis.keys("{captcha}:used:*")).toEqual(["{captcha}:used:first"]);

  await expect(checkLocally(passed("first"))).rejects.toMatchObject(refused);
  count.mockRejectedValue(overLimit);
  await expect(checkLocally(rejected)).rejects.toBe(overLimit);
  expect(count.mock.calls).toEqual([["rejectedVerify"], ["rejectedVerify"]]);
  await transport.redis.del("{captcha}:accepted:address");
  await expect(checkLocally(passed("second"))).resolves.toEqual({ success: true });
});

it('throws a 503 error if the provider fails, but only logs the failure if onProviderError is "allow"', async () => {
  const error = { code: "captcha_unavailable", status: 503, retryAfterSeconds: 10 };
  await expect(check(unavailable)).rejects.toMatchObject(error);
  const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const reply = { success: true, error_bypass: true };
  await expect(check(unavailable, { onProviderError: "allow" })).resolves.toEqual(reply);
  const lines = String(write.mock.calls);
  expect(lines).toContain('"event":"captcha skipped","provider":"turnstile","cause":"HTTP 500"');
  expect(lines).not.toContain("the token");
  await expect(check(rejected, { onProviderError: "allow" })).rejects.toMatchObject(refused);
  write.mockRestore();
});

it.each([
  ["dev", { success: true, dev_mode: true }],
  ["bypass", { success: true, bypass_mode: true }],
] as const)("sends no request to the provider in mode %s", async (mode, reply) => {
  await expect(check(passed("id"), { mode })).resolves.toEqual(reply);
  expect(checkToken).not.toHaveBeenCalled();
});
