import { NextRequest } from "next/server";
import { apiRoute } from "@/lib/server/http/api-route";
import { pauseTimeout } from "./with-timeout";

afterEach(() => jest.restoreAllMocks());

it("responds with 503 to slow work, names the route in the log, and does not count the time of a lookup", async () => {
  jest.spyOn(process.stdout, "write").mockReturnValue(true);
  const lines = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const respond = async (msAfter: number) => {
    const route = apiRoute({ name: "post-details" }, async () => {
      await pause(500);
      await pauseTimeout(() => pause(2_000));
      await pause(msAfter);
      return {};
    });
    const { status, headers } = await route(new NextRequest("http://localhost/"));
    return [status, headers.get("retry-after")];
  };
  const startedAt = performance.now();
  expect(await Promise.all([respond(0), respond(1_500)])).toEqual([
    [200, null],
    [503, "5"],
  ]);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  const logged = { route: "post-details", cause: "all of post-details failed (timeout)" };
  expect(JSON.parse(String(lines.mock.calls[0]?.[0]))).toMatchObject(logged);
});
