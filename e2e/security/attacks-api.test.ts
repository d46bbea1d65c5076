import { expect, test, useServers } from "@/testing/test";
import { gzipSync } from "node:zlib";
import { rawRequest } from "@/testing/raw-http";
import { postLink } from "@/testing/sample-posts";
import { newAddress, Visitor } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { goodInput } from "@/testing/good-input";

/*
 * Attacks on the API: reused captcha tokens, requests from other sites, and bodies that no form sends.
 * lib/server/captcha/altcha.test.ts tests forged tokens.
 */

const cronSecret = "cron-secret-of-the-tests";
const servers = useServers({ env: { CRON_SECRET: cronSecret } });

const newVisitor = () => new Visitor(servers.app.url);

test("an altcha token is accepted once when 20 visitors send it, and never again, also in another encoding", async () => {
  /** Sends a captcha token. Returns "accepted", or the status and the error code. */
  const send = async (token: string, path = "/api/recaptcha/verify", fields: object = { url: postLink }) => {
    const { status, body } = await newVisitor().post(path, { ...fields, token });
    return status === 200 ? "accepted" : `${status} ${body.code}`;
  };
  const rejected = "403 captcha_rejected";
  const token = await newVisitor().solveCaptcha();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(token)));
  expect(outcomes.sort()).toEqual([...Array<string>(19).fill(rejected), "accepted"]);
  expect(await send(token, "/api/contact/submit", goodInput.contact)).toBe(rejected);
  const payload = JSON.parse(Buffer.from(token, "base64").toString()) as {
    challenge: { parameters: Record<string, unknown>; signature: string };
    solution: { counter: number; derivedKey: string; time?: number };
  };
  const { challenge, solution } = payload;
  const { parameters, signature } = challenge;
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
  for (const variant of [
    token,
    Buffer.from(token, "base64").toString("base64url"),
    encode({ ...payload, extra: Math.random() }),
    encode({ solution, challenge: { signature, parameters } }),
    encode({ ...payload, solution: { ...solution, counter: solution.counter + 1 } }),
    encode({ ...payload, challenge: { parameters, signature: signature.toUpperCase() } }),
  ])
    expect(await send(variant)).toBe(rejected);
});

type Header = readonly [name: string, value: string];
const jsonType: Header = ["content-type", "application/json"];

/** Requests that the API refuses without writing to Redis. `field` is a field of the valid body, which is the default. */
function refusals(valid: object, field: string) {
  const json = JSON.stringify(valid);
  const nested = "[".repeat(8_000) + "]".repeat(8_000);
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  const crossSite: Header[] = [
    ...[
      ...["https://evil.example", "null", "http://localhost", "http://localhost:1", "http://shop.localhost"],
      ...["http://localhost.evil.example", "not an origin"],
    ].map((origin) => ["origin", origin] as const),
    ["sec-fetch-site", "cross-site"],
    ["sec-fetch-site", "same-site"],
  ];
  // Some of them need no CORS preflight.
  const otherTypes = [
    ...[[], [""], ["text/plain"], ["text/plain; application/json"], ["application/jsonx"]],
    ...[["application/x-www-form-urlencoded"], ["multipart/form-data; boundary=x"]],
    ["text/plain", "application/json"],
  ];
  const bodies: [status: number, body: string | Buffer, header?: Header][] = [
    [400, ""],
    [400, `\ufeff${json}`],
    [400, Buffer.from(json, "utf16le")],
    [400, gzipSync(json), ["content-encoding", "gzip"]],
    [400, json + json],
    [422, `{"${field}":${nested}}`],
    [413, `{"${field}":"${"x".repeat(1_000_000)}"}`],
    // 320 KiB without a length.
    [413, `${chunk.repeat(20)}0\r\n\r\n`, ["transfer-encoding", "chunked"]],
    [422, `{"__proto__":${json}}`],
    [422, `{"constructor":{"prototype":${json}}}`],
    // Fails if one of the two bodies before has changed a prototype.
    [422, "{}"],
    [422, JSON.stringify({ ...valid, [field]: [valid] })],
    [422, `{"${field}":1e99999}`],
  ];
  return [
    ...crossSite.map((header) => ({
      headers: [jsonType, header],
      body: undefined,
      status: 403,
      code: "cross_site",
    })),
    ...otherTypes.map((types) => ({
      headers: types.map((type): Header => ["content-type", type]),
      body: undefined,
      status: 415,
      code: "unsupported_media_type",
    })),
    ...bodies.map(([status, body, header]) => ({
      headers: header ? [jsonType, header] : [jsonType],
      body,
      status,
    })),
  ];
}

/** A valid body for each endpoint, without the captcha token. */
const endpoints: Record<string, object> = {
  "/api/recaptcha/verify": { url: postLink },
  "/api/instagram/like": { instagramUrl: postLink },
  "/api/contact/submit": goodInput.contact,
  "/api/feedback/submit": goodInput.feedback,
  "/api/issue/submit": goodInput.issue,
  "/api/404": { path: "/nowhere" },
};

for (const [target, fields] of Object.entries(endpoints))
  test(`POST ${target} refuses requests from other sites, other content types and bad bodies, and writes nothing to Redis`, async () => {
    await servers.store.flushall();
    const valid = { token: "x", ...fields };
    const cookie = (await newVisitorInFlow(servers.app.url)).cookieHeader();
    for (const { headers, body, ...expected } of refusals(valid, Object.keys(fields)[0]!)) {
      const request = {
        method: "POST",
        target,
        headers: [["cookie", cookie], ["x-real-ip", newAddress()], ...headers] as const,
        body: body ?? JSON.stringify(valid),
      };
      const response = await rawRequest(servers.app.port, request);
      const about = `${JSON.stringify(headers)} ${body?.toString().slice(0, 100)}`;
      expect(response.headers.get("cache-control"), about).toBe("no-store");
      expect(response.body, about).not.toMatch(
        /node_modules|\.next\b|\bat \S+ \(|Error:|redis:|\/(?:work|tmp|home)\//,
      );
      const { success, code } = JSON.parse(response.body) as { success: boolean; code: string };
      const actual = { status: response.status, success, code, keys: await servers.store.keys("*") };
      expect(actual, about).toEqual({ success: false, code: expect.any(String), ...expected, keys: [] });
    }
  });

for (const target of [
  ...["post-details", "status", "receipt"].map((name) => `/api/instagram/${name}`),
  ...["/api/recaptcha/sitekey", "/api/recaptcha/challenge"],
])
  test(`GET ${target} refuses pages of other sites and of subdomains, which need no Origin header`, async () => {
    await servers.store.flushall();
    const visitor = await newVisitorInFlow(servers.app.url);
    for (const site of ["cross-site", "same-site"]) {
      const refused = await visitor.get(target, { "sec-fetch-site": site });
      expect(refused).toMatchObject({ status: 403, body: { code: "cross_site" } });
      expect(await servers.store.keys("*")).toEqual([]);
    }
    for (const site of ["same-origin", "none"])
      expect((await visitor.get(target, { "sec-fetch-site": site })).status).toBe(200);
  });

test("accepts a request for likes from its own site", async () => {
  const headers = { "content-type": "Application/JSON; charset=utf-8", "sec-fetch-site": "same-origin" };
  const visitor = await newVisitorInFlow(servers.app.url);
  const body = endpoints["/api/instagram/like"];
  const sent = { ...headers, origin: servers.app.url };
  expect((await visitor.post("/api/instagram/like", body, sent)).status).toBe(200);
});

test("responds 408 to a body that never ends, and closes the connection", async () => {
  const headers: Header[] = [jsonType, ["content-length", "100"], ["connection", "keep-alive"]];
  const responses = await Promise.all(
    Object.keys(endpoints).map((target) =>
      rawRequest(servers.app.port, { method: "POST", target, headers, body: `{"token":"` }),
    ),
  );
  for (const { status, body } of responses) {
    expect(status).toBe(408);
    expect(JSON.parse(body)).toMatchObject({ success: false, code: "request_timeout" });
  }
});

test("refuses reconciliation without the secret, and has no metrics without HEALTH_TOKEN in the settings", async () => {
  const target = `/api/cron/reconcile?token=${cronSecret}`;
  const wrong = ["", "Bearer", "Bearer ", "Bearer null", cronSecret];
  for (const authorization of [...wrong, `Basic ${cronSecret}`, `Bearer ${cronSecret}x`])
    for (const method of ["GET", "POST"]) {
      const headers: Header[] = [["authorization", authorization]];
      const { status } = await rawRequest(servers.app.port, { method, target, headers });
      expect({ authorization, status }).toEqual({ authorization, status: 401 });
    }
  for (const target of ["/api/metrics", "/api/health?deep=1"])
    expect((await rawRequest(servers.app.port, { target })).status).toBe(404);
});

test("logs no uncaught error and no server error during these attacks", () => {
  const lines = servers.app.output().split("\n");
  expect(lines.filter((line) => /uncaught|unhandled|TypeError|"status":5\d\d/i.test(line))).toEqual([]);
});
