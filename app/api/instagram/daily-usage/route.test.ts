import { NextRequest } from "next/server";
import { GET } from "./route";

jest.mock("@/lib/server/likes", () => ({
  getLedger: () => ({ dailyUsage: () => ({ likesUsed: 0, totalLimit: 100, now: 0, resetsAt: 4_000 }) }),
}));

beforeAll(() => {
  process.env.SESSION_SECRET = process.env.VISITOR_HASH_SECRET = "s".repeat(32);
  process.env.REDIS_URL = "redis://127.0.0.1:1";
});

test("shared caches keep the usage of a day no longer than the day", async () => {
  const { headers } = await GET(new NextRequest("https://example.com/api/instagram/daily-usage"));
  expect(headers.get("cache-control")).toBe("public, max-age=0, s-maxage=4");
  expect(headers.getSetCookie()).toEqual([]);
});
