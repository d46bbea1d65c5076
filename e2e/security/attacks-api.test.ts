import { expect, test, useServers } from "@/testing/test";
import { gzipSync } from "node:zlib";
import { solveChallenge, type Challenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { createAltcha } from "@/lib/server/captcha/altcha";
import { sessionSecret } from "@/testing/servers/app-server";
import { rawRequest } from "@/testing/raw-http";
import { postLink } from "@/testing/sample-posts";
import { newAddress, Visitor } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { goodInput } from "@/testing/good-input";

/* Attacks on the API: reused and forged captcha tokens, requests from other sites, and bodies that no form sends. */

const cronSecret = "cron-secret-of-the-tests";
const servers = useServers({ env: { CRON_SECRET: cronSecret } });

const newVisitor = () => new Visitor(servers.app.url);

/** A valid body for each endpoint, without the captcha token. */
const endpoints: Record<string, object> = {
  "/api/recaptcha/verify": { url: postLink },
  "/api/instagram/like": { instagramUrl: postLink },
  "/api/contact/submit": goodInput.contact,
  "/api/feedback/submit": goodInput.feedback,
  "/api/issue/submit": goodInput.issue,
  "/api/404": { path: "/nowhere" },
};

/** Sends a captcha token. Returns "accepted", or the status and the error code. */
async function verify(token: string): Promise<string> {
  const { status, body } = await newVisitor().post("/api/recaptcha/verify", { token, url: postLink });
  return status === 200 ? "accepted" : `${status} ${body.code}`;
}

const rejected = "403 captcha_rejected";
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

test.describe("an altcha token", () => {
  /** Solves a challenge of a server with this secret at this time. */
  async function solve(secret = sessionSecret, now = Date.now()) {
    const altcha = createAltcha([secret], undefined, undefined, () => now);
    const challenge = (await altcha.createChallenge?.()) as Challenge;
    return { challenge, solution: await solveChallenge({ challenge, deriveKey }) };
  }

  test("is accepted once when 20 visitors send it at the same time, and never again", async () => {
    const token = await newVisitor().solveCaptcha();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(outcomes.sort()).toEqual([...Array<string>(19).fill(rejected), "accepted"]);
    expect(await verify(token)).toBe(rejected);
    const form = await newVisitor().post("/api/contact/submit", { ...goodInput.contact, token });
    expect(form).toMatchObject({ status: 403, body: { code: "captcha_rejected" } });
  });

  test("is not accepted again in another encoding", async () => {
    const token = await newVisitor().solveCaptcha();
    expect(await verify(token)).toBe("accepted");
    const payload = JSON.parse(Buffer.from(token, "base64").toString()) as {
      challenge: { parameters: Record<string, unknown>; signature: string };
      solution: { counter: number; derivedKey: string; time?: number };
    };
    const { challenge, solution } = payload;
    const { parameters, signature } = challenge;
    for (const variant of [
      Buffer.from(token, "base64").toString("base64url"),
      `${token.slice(0, 40)}\n ${token.slice(40)}`,
      `${token}====`,
      encode({ ...payload, extra: Math.random() }),
      encode({ solution, challenge: { signature, parameters } }),
      encode({ ...payload, solution: { ...solution, time: 1 } }),
      encode({ ...payload, solution: { ...solution, counter: solution.counter + 1 } }),
      encode({ ...payload, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } }),
      encode({ ...payload, challenge: { parameters, signature: signature.toUpperCase() } }),
    ])
      expect(await verify(variant)).toBe(rejected);
  });

  test("is rejected when it is old, foreign, changed or malformed", async () => {
    const { challenge, solution } = await solve();
    const changed = { ...challenge, parameters: { ...challenge.parameters, expiresAt: 4_000_000_000 } };
    for (const token of [
      encode(await solve(sessionSecret, Date.now() - 21 * 60_000)),
      encode(await solve("another-secret-0123456789-0123456789")),
      encode({ challenge: changed, solution }),
      "null",
      encode(null),
      encode({ challenge: {}, solution: {} }),
      encode({ challenge: { parameters: { cost: 1e9 } }, solution: { counter: 1e308 } }),
      encode({ constructor: { prototype: {} } }),
      Buffer.from("[".repeat(9_000)).toString("base64"),
    ])
      expect(await verify(token)).toBe(rejected);
    expect(await verify(encode({ challenge, solution }))).toBe("accepted");
  });
});

type Header = readonly [name: string, value: string];
const jsonType: Header = ["content-type", "application/json"];

const crossSiteHeaders: Header[] = [
  ["origin", "https://evil.example"],
  ["origin", "null"],
  ["origin", "http://localhost"],
  ["origin", "http://localhost:1"],
  ["origin", "http://shop.localhost"],
  ["origin", "http://localhost.evil.example"],
  ["origin", "not an origin"],
  ["sec-fetch-site", "cross-site"],
  ["sec-fetch-site", "same-site"],
];

/** Values of Content-Type that the API does not accept. Some of them need no CORS preflight. */
const otherTypes: string[][] = [
  ...[[], [""], ["text/plain"], ["text/plain; application/json"], ["application/jsonx"]],
  ...[["application/x-www-form-urlencoded"], ["multipart/form-data; boundary=x"]],
  ["text/plain", "application/json"],
];

interface BadBody {
  title: string;
  body: string | Buffer;
  status: number;
  headers?: Header[];
}

function badBodies(valid: object, field: string): BadBody[] {
  const json = JSON.stringify(valid);
  const nested = "[".repeat(8_000) + "]".repeat(8_000);
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  return [
    { title: "no body", body: "", status: 400 },
    { title: "a byte order mark", body: `\ufeff${json}`, status: 400 },
    { title: "UTF-16", body: Buffer.from(json, "utf16le"), status: 400 },
    { title: "gzip", body: gzipSync(json), status: 400, headers: [["content-encoding", "gzip"]] },
    { title: "two documents", body: json + json, status: 400 },
    { title: "nested arrays", body: `{"${field}":${nested}}`, status: 422 },
    { title: "a megabyte", body: `{"${field}":"${"x".repeat(1_000_000)}"}`, status: 413 },
    {
      title: "320 KiB without a length",
      body: `${chunk.repeat(20)}0\r\n\r\n`,
      status: 413,
      headers: [["transfer-encoding", "chunked"]],
    },
    { title: "fields in __proto__", body: `{"__proto__":${json}}`, status: 422 },
    { title: "fields in constructor", body: `{"constructor":{"prototype":${json}}}`, status: 422 },
    // Fails if one of the two bodies before has changed a prototype.
    { title: "no fields", body: "{}", status: 422 },
    { title: "an array as a field", body: JSON.stringify({ ...valid, [field]: [valid] }), status: 422 },
    { title: "an infinite number", body: `{"${field}":1e99999}`, status: 422 },
  ];
}

for (const [target, fields] of Object.entries(endpoints))
  test.describe(`POST ${target}`, () => {
    const valid = { token: "x", ...fields };

    /** Sends the request with a valid flow cookie. Expects this error, and that the server writes nothing to Redis. */
    async function expectRefusal(
      title: string,
      headers: readonly Header[],
      expected: { status: number; code?: string },
      body: string | Buffer = JSON.stringify(valid),
    ): Promise<void> {
      const cookie = (await newVisitorInFlow(servers.app.url)).cookieHeader();
      const response = await rawRequest(servers.app.port, {
        method: "POST",
        target,
        headers: [["cookie", cookie], ["x-real-ip", newAddress()], ...headers],
        body,
      });
      expect(response.headers.get("cache-control")).toBe("no-store");
      const { success, code } = JSON.parse(response.body) as { success: boolean; code: string };
      const actual = { title, status: response.status, success, code, keys: await servers.store.keys("*") };
      expect(actual).toEqual({ title, success: false, code: expect.any(String), ...expected, keys: [] });
    }

    test.beforeEach(() => servers.store.flushall());

    test("refuses requests from other sites", async () => {
      for (const header of crossSiteHeaders) {
        await expectRefusal(header.join(": "), [jsonType, header], { status: 403, code: "cross_site" });
      }
    });

    test("refuses other content types", async () => {
      const expected = { status: 415, code: "unsupported_media_type" };
      for (const types of otherTypes) {
        const headers = types.map((type): Header => ["content-type", type]);
        await expectRefusal(JSON.stringify(types), headers, expected);
      }
    });

    test("refuses malformed, long and invalid bodies", async () => {
      const [field = ""] = Object.keys(fields);
      for (const { title, body, status, headers = [] } of badBodies(valid, field)) {
        await expectRefusal(title, [jsonType, ...headers], { status }, body);
      }
    });
  });

for (const target of [
  ...["post-details", "status", "receipt"].map((name) => `/api/instagram/${name}`),
  ...["/api/recaptcha/sitekey", "/api/recaptcha/challenge"],
])
  test(`GET ${target} refuses pages of other sites and of subdomains, which need no Origin header`, async () => {
    await servers.store.flushall();
    const visitor = await newVisitorInFlow(servers.app.url);
    for (const site of ["cross-site", "same-site", "same-origin", "none"]) {
      const { status, body } = await visitor.get(target, { "sec-fetch-site": site });
      const isOwn = ["same-origin", "none"].includes(site);
      expect({ site, refused: body.code === "cross_site" }).toEqual({ site, refused: !isOwn });
      if (!isOwn) expect([status, await servers.store.keys("*")]).toEqual([403, []]);
    }
  });

test("accepts a request for likes from its own site", async () => {
  const visitor = await newVisitorInFlow(servers.app.url);
  const like = await visitor.post("/api/instagram/like", endpoints["/api/instagram/like"], {
    "content-type": "Application/JSON; charset=utf-8",
    origin: servers.app.url,
    "sec-fetch-site": "same-origin",
  });
  expect(like.status).toBe(200);
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

test("refuses reconciliation without the secret", async () => {
  const target = `/api/cron/reconcile?token=${cronSecret}`;
  const wrong = ["", "Bearer", "Bearer ", "Bearer null", cronSecret];
  for (const authorization of [...wrong, `Basic ${cronSecret}`, `Bearer ${cronSecret}x`]) {
    for (const method of ["GET", "POST"]) {
      const headers: Header[] = [["authorization", authorization]];
      const { status } = await rawRequest(servers.app.port, { method, target, headers });
      expect({ authorization, status }).toEqual({ authorization, status: 401 });
    }
  }
});

test("has no metrics and no deep health without HEALTH_TOKEN in the settings", async () => {
  for (const target of ["/api/metrics", "/api/health?deep=1"])
    expect((await rawRequest(servers.app.port, { target })).status).toBe(404);
});

test("logs no uncaught error and no server error during these attacks", () => {
  const lines = servers.app.output().split("\n");
  expect(lines.filter((line) => /uncaught|unhandled|TypeError|"status":5\d\d/i.test(line))).toEqual([]);
});
