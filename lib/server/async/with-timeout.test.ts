import { NextRequest } from "next/server";
import { apiRoute } from "@/lib/server/http/api-route";
import type { CaptchaProvider } from "@/lib/server/captcha/captcha";
import { checkCaptcha } from "@/lib/server/captcha/check-captcha";
import { RedisClient } from "@/lib/server/redis/client";

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
  const lines = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const { status, headers } = await verify(new NextRequest("http://localhost/", { method: "POST" }));
    expect({ status, wait: headers.get("retry-after") }).toEqual({ status: 503, wait: "5" });
    const logged = { route: "verify", cause: "all of verify failed (timeout)" };
    expect(JSON.parse(String(lines.mock.calls[0]?.[0]))).toMatchObject(logged);
  } finally {
    lines.mockRestore();
  }
});
