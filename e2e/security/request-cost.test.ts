import { expect, test, useServers } from "@/testing/test";
import { cpuMs } from "@/testing/cpu-time";
import { limits } from "@/lib/config/limits";
import { rawRequest, type RawRequest } from "@/testing/raw-http";

/* The CPU time of the server's process for one request. It does not depend on the speed of other processes. */

/** Most CPU time for one request of up to 16 KiB, in milliseconds. A longer body may cost twice as much. */
const mostMs = 20;
/** Length of the repeated text. The limit of all headers is twice as high, and the limit of a body is 80 KiB. */
const length = 15_000;
const fill = (text: string, bytes: number) =>
  text.repeat(bytes / Buffer.byteLength(JSON.stringify([text, "token"])));

/** One address for each kind of route. */
const reads = [
  ...["/", "/terms", "/no-such-page", "/verification", "/preview/Cxyz123abc_", "/_next/static/x.js"],
  ...["/_next/image", "/site/x.js", "/api/health", "/api/metrics", "/api/no-such-route"],
  ...["status", "receipt", "post-details"].map((name) => `/api/instagram/${name}`),
  "/api/recaptcha/challenge",
];
const writes = ["recaptcha/verify", "instagram/like", "contact/submit", "404", "share"].map(
  (path) => `/api/${path}`,
);

const texts = [
  ...["a", "-", "1", "\xe9", " ", ".", ",", ", ", "/", "/a", "\\", "(", '"', "=", "&a", "&a=1"],
  ...[";a", "a=1; "],
  ...["%20", "%C3%A9", "[a]", "a@", "a@b.", "a:", "http://", "https://instagram.com/p/", "p/a?"],
].map((text) => text.repeat(length / text.length));

const headers = [
  ...["user-agent", "cookie", "accept", "accept-encoding", "accept-language", "authorization", "host"],
  ...["content-type", "origin", "referer", "if-none-match", "if-modified-since", "cache-control", "rsc"],
  ...["x-real-ip", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-visitor-fingerprint"],
  ...["idempotency-key", "sec-fetch-site", "sec-fetch-mode", "sec-purpose", "next-action"],
];
const fields = ["token", "url", "instagramUrl", "path", "email", "name", "message", "steps"];

type Place = (text: string) => Omit<RawRequest, "target" | "method"> & { suffix?: string };
const inUrl: Record<string, Place> = {
  path: (text) => ({ suffix: `/${text}` }),
  query: (text) => ({ suffix: `?${text}` }),
  "short query": (text) => ({ suffix: `?${text.slice(0, 4_000)}` }),
};
const inHeaders: Record<string, Place> = {
  "100 headers": (text) => ({
    headers: Array.from({ length: 95 }, (_, n) => [`x-${n}`, text.slice(0, 100)] as const),
  }),
};
for (const name of headers) inHeaders[name] = (text) => ({ headers: [[name, text.slice(0, 4_000)]] });
// All other headers of this length are refused.
for (const name of ["user-agent", "cookie", "x-other"])
  inHeaders[`long ${name}`] = (text) => ({ headers: [[name, text + text]] });
const inBody: Record<string, Place> = {};
for (const bytes of [length, limits.bodyBytes]) {
  inBody[`form of ${bytes}`] = (text) => ({
    headers: [["content-type", "application/x-www-form-urlencoded"]],
    body: fill(text, bytes),
  });
  for (const name of fields)
    inBody[`${name} of ${bytes}`] = (text) => ({
      headers: [["content-type", "application/json"]],
      body: JSON.stringify({ [name]: fill(text, bytes) }),
    });
}

const servers = useServers({});

for (const [method, target] of [
  ...reads.map((path) => ["GET", path] as const),
  ...writes.map((path) => ["POST", path] as const),
])
  test(`needs at most ${mostMs} ms of CPU time for any ${method} ${target} of 16 kB`, async () => {
    const places = method === "GET" ? { ...inUrl, ...inHeaders } : { ...inUrl, ...inBody };
    const expensive: string[] = [];
    const plain = (await cost(Array<RawRequest>(100).fill({ method, target }))) / 100;
    for (const [place, build] of Object.entries(places)) {
      const requests = texts.map((text) => {
        const { suffix = "", ...rest } = build(text);
        return { method, target: target + suffix.replaceAll(" ", "+"), ...rest };
      });
      const factor = place.endsWith(`of ${limits.bodyBytes}`) ? 2 : 1;
      // A slow machine needs more.
      const limit = factor * Math.max(mostMs, 4 * plain);
      // The system counts in steps of 10 ms. Most requests need less, so it measures single requests only if necessary.
      if ((await cost(requests)) < limit + plain * texts.length) continue;
      for (const [n, request] of requests.entries()) {
        // Garbage collection only adds to the time, so the least of three measurements counts.
        const measure = async () => (await cost(Array<RawRequest>(5).fill(request))) / 5;
        const isExpensive = async () => (await measure()) > limit;
        if ((await isExpensive()) && (await isExpensive()) && (await isExpensive()))
          expensive.push(`${place} ${texts[n]?.slice(0, 10)}`);
      }
    }
    expect(expensive).toEqual([]);
  });

/** Sends the requests one after the other. Returns the CPU time that the server's process used, in milliseconds. */
async function cost(requests: readonly RawRequest[]): Promise<number> {
  const before = cpuMs(servers.app.pid);
  for (const request of requests) await rawRequest(servers.app.port, request);
  return cpuMs(servers.app.pid) - before;
}
