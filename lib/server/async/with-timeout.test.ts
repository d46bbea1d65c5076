import { NextRequest } from "next/server";
import { apiRoute } from "@/lib/server/http/api-route";
import { checkCaptcha, type CaptchaProvider } from "@/lib/server/captcha/check-captcha";
import { RedisClient } from "@/lib/server/redis/client";
import { pauseTimeout } from "./with-timeout";

let lines: jest.SpiedFunction<typeof process.stderr.write>;
beforeEach(() => {
  jest.spyOn(process.stdout, "write").mockReturnValue(true);
  lines = jest.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => jest.restoreAllMocks());

const never = () => new Promise<never>(() => undefined);

it("responds with 503 when the captcha provider never responds, and names the route in the log", async () => {
  const provider: CaptchaProvider = { name: "turnstile", siteKey: "", checksLocally: false, check: never };
  const settings = { mode: "enforce", onProviderError: "deny" } as const;
  const verify = apiRoute({ name: "verify" }, () =>
    checkCaptcha(
      { token: "token", host: "localhost" },
      provider,
      new RedisClient({ request: never }),
      settings,
    ),
  );
  const { status, headers } = await verify(new NextRequest("http://localhost/", { method: "POST" }));
  expect({ status, wait: headers.get("retry-after") }).toEqual({ status: 503, wait: "5" });
  const logged = { route: "verify", cause: "all of verify failed (timeout)" };
  expect(JSON.parse(String(lines.mock.calls[0]?.[0]))).toMatchObject(logged);
});

it("does not count the time of a lookup, but the time before and after it", async () => {
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const respond = async (msAfter: number) => {
    const route = apiRoute({ name: "post-details" }, async () => {
      await pause(500);
      await pauseTimeout(() => pause(2_000));
      await pause(msAfter);
      return {};
    });
    return (await route(new NextRequest("http://localhost/"))).status;
  };
  const startedAt = performance.now();
  expect(await Promise.all([respond(0), respond(1_500)])).toEqual([200, 503]);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
