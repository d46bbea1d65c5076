import { expect, test, useServers } from "../support/test";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { solveChallenge, type Challenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { createAltcha } from "@/lib/server/captcha/altcha";
import { createFlow, sealFlow } from "@/lib/server/identity/flow-cookie";
import { sessionSecret } from "../support/servers/app-server";
import { until } from "../support/until";
import { rawRequest, type RawAnswer, type RawRequest } from "../support/raw-http";
import { postCode, postLink } from "../support/sample-posts";
import { startSiteverify } from "../support/servers/siteverify-server";
import { newAddress, Visitor } from "../support/visitor";
import { goodInput } from "../forms/inputs";

/* Attacks on the API itself: replayed and forged human checks, posts from other sites, and bodies that no form sends. */

const siteverifySecret = "secret-of-the-captcha";
const cronSecret = "cron-secret-of-the-tests";

const servers = useServers({ env: { CRON_SECRET: cronSecret } });

const newVisitor = (url = servers.app.url) => new Visitor(url);
const post = { postId: postCode, type: "post" as const };

/** A valid body for every endpoint that takes one, without its token. */
const endpoints: Record<string, object> = {
  "/api/recaptcha/verify": { url: postLink },
  "/api/instagram/like": { instagramUrl: postLink },
  "/api/contact/submit": goodInput.contact,
  "/api/feedback/submit": goodInput.feedback,
  "/api/issue/submit": goodInput.issue,
  "/api/404": { path: "/nowhere" },
};

/** What came of a check: "accepted", or status and code. */
async function verify(visitor: Visitor, token: string): Promise<string> {
  const { status, body } = await visitor.post("/api/recaptcha/verify", { token, url: postLink });
  return status === 200 ? "accepted" : `${status} ${body.code}`;
}

const counted = (outcomes: string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].sort().map((kind) => [kind, outcomes.filter((o) => o === kind).length]),
  );

test.describe("a human check counts once", () => {
  test("altcha: twenty times at once, from twenty visitors, one is accepted; and none later, at any endpoint", async () => {
    const token = await newVisitor().solveCaptcha();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => verify(newVisitor(), token)));
    expect(counted(outcomes)).toEqual({ accepted: 1, "403 captcha_rejected": 19 });
    expect(await verify(newVisitor(), token)).toBe("403 captcha_rejected");
    const form = await newVisitor().post("/api/contact/submit", { ...goodInput.contact, token });
    expect(form).toMatchObject({ status: 403, body: { code: "captcha_rejected" } });
  });

  test("altcha: not a second time for the same solution written differently", async () => {
    const token = await newVisitor().solveCaptcha();
    expect(await verify(newVisitor(), token)).toBe("accepted");
    const payload = JSON.parse(Buffer.from(token, "base64").toString()) as {
      challenge: { parameters: Record<string, unknown>; signature: string };
      solution: { counter: number; derivedKey: string; time?: number };
    };
    const { challenge, solution } = payload;
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    const variants = [
      Buffer.from(token, "base64").toString("base64url"),
      `${token.slice(0, 40)}\n ${token.slice(40)}`,
      `${token}====`,
      encode({ ...payload, solution: { ...solution, time: 1 } }),
      encode({ ...payload, solution: { ...solution, counter: solution.counter + 1 } }),
      encode({ ...payload, extra: Math.random() }),
      encode({ solution, challenge: { signature: challenge.signature, parameters: challenge.parameters } }),
      encode({ ...payload, challenge: { ...challenge, signature: challenge.signature.toUpperCase() } }),
      encode({ ...payload, challenge: { ...challenge, signature: `${challenge.signature}00` } }),
      encode({ ...payload, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } }),
    ];
    for (const variant of variants) expect(await verify(newVisitor(), variant)).toBe("403 captcha_rejected");
  });

  for (const provider of ["recaptcha", "turnstile"] as const)
    test(`${provider}: also when the provider would accept it twenty times`, async () => {
      const { url, siteverify } = await startWithProvider(provider);
      siteverify.respond({ body: { success: true, hostname: "localhost", action: "verify" } });
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => verify(newVisitor(url), "one-token")),
      );
      expect(counted(outcomes)).toEqual({ accepted: 1, "403 captcha_rejected": 19 });
      expect(await verify(newVisitor(url), "one-token")).toBe("403 captcha_rejected");
    });
});

/** A server that checks with this provider. */
async function startWithProvider(provider: "recaptcha" | "turnstile") {
  const siteverify = await servers.keep(startSiteverify({ provider, secret: siteverifySecret }));
  const env = {
    CAPTCHA_PROVIDER: provider,
    CAPTCHA_SITE_KEY: "site-key-of-the-tests",
    CAPTCHA_SECRET_KEY: siteverifySecret,
    CAPTCHA_VERIFY_URL: siteverify.url,
  };
  const { url } = await servers.start({ database: provider === "recaptcha" ? 1 : 2, env });
  return { url, siteverify };
}

test.describe("a human check that is not this site's, or not from now", () => {
  /** Solves a challenge that some server issued at some time. */
  async function solved(secret: string, now = Date.now()): Promise<string> {
    const challenge = (await createAltcha(
      [secret],
      undefined,
      undefined,
      () => now,
    ).createChallenge?.()) as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
  }

  test("altcha: is accepted from this site, now; refused when it is too old, or from a site with another secret", async () => {
    expect(await verify(newVisitor(), await solved(sessionSecret))).toBe("accepted");
    expect(await verify(newVisitor(), await solved(sessionSecret, Date.now() - 21 * 60_000))).toBe(
      "403 captcha_rejected",
    );
    expect(await verify(newVisitor(), await solved("another-secret-0123456789-0123456789"))).toBe(
      "403 captcha_rejected",
    );
  });

  test("altcha: is refused when it is malformed or huge", async () => {
    const bare = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    for (const token of [
      " ",
      "null",
      bare(null),
      bare([]),
      bare({}),
      bare({ challenge: {}, solution: {} }),
      bare({ challenge: { parameters: { cost: 1e9 } }, solution: { counter: 1e308 } }),
      bare({ __proto__: null, constructor: { prototype: {} } }),
      Buffer.from("[".repeat(9_000)).toString("base64"),
      "A".repeat(16_000),
      "\u0000".repeat(2_000),
    ]) {
      expect(await verify(newVisitor(), token)).toBe("403 captcha_rejected");
    }
  });

  test("turnstile: is refused from another site or action, invented, used, or huge", async () => {
    const { url, siteverify } = await startWithProvider("turnstile");
    const used = siteverify.issue();
    expect(await verify(newVisitor(url), used)).toBe("accepted");
    const tokens = [
      used,
      siteverify.issue({ hostname: "evil.example" }),
      siteverify.issue({ action: "another" }),
      "invented",
      "x".repeat(16_000),
    ];
    for (const token of tokens) expect(await verify(newVisitor(url), token)).toBe("403 captcha_rejected");
  });
});

/** What no browser of this site sends: the visitor's own browser would, on behalf of another site. */
const foreignHeaders: [string, string][] = [
  ["origin", "https://evil.example"],
  ["origin", "null"],
  ["origin", "http://localhost"],
  ["origin", "http://localhost.evil.example"],
  ["origin", "not an origin"],
  ["sec-fetch-site", "cross-site"],
];

for (const target of Object.keys(endpoints))
  test.describe(target, () => {
    /** The valid body with a real visitor's flow behind it: only the attack can make it fail. */
    async function send(
      request: Partial<RawRequest>,
    ): Promise<RawAnswer & { json: { success?: boolean; code?: string } }> {
      const cookie = await sealFlow({ ...createFlow(post), post }, [sessionSecret]);
      const { headers = [["content-type", "application/json"]], ...rest } = request;
      const answer = await rawRequest(servers.app.port, {
        method: "POST",
        target,
        body: JSON.stringify({ token: "x", ...endpoints[target] }),
        ...rest,
        headers: [["cookie", `flow=${cookie}`], ["x-real-ip", newAddress()], ...headers],
      });
      return { ...answer, json: JSON.parse(answer.body) as { success?: boolean; code?: string } };
    }

    test.beforeEach(() => servers.store.flushall());

    for (const [name, value] of foreignHeaders)
      test(`does nothing for another site: ${name}: ${value}`, async () => {
        const headers: [string, string][] = [
          ["content-type", "application/json"],
          [name, value],
        ];
        expect(await send({ headers })).toMatchObject({
          status: 403,
          json: { success: false, code: "cross_site" },
        });
        expect(await servers.store.dbsize()).toBe(0);
      });

    for (const [title, types] of [
      ["none", []],
      ["text/plain", ["text/plain"]],
      ["text/plain that names JSON", ["text/plain; application/json"]],
      ["a form's", ["application/x-www-form-urlencoded"]],
      ["a form's with files", ["multipart/form-data; boundary=x"]],
      ["text/json", ["text/json"]],
      ["a longer name", ["application/jsonx"]],
      ["JSON and another", ["application/json, text/plain"]],
      ["another and JSON, in two lines", ["text/plain", "application/json"]],
      ["an empty one", [""]],
      ["XML", ["application/xml"]],
    ] as [string, string[]][])
      test(`does nothing for a content type that a form of another site could send: ${title}`, async () => {
        const answer = await send({ headers: types.map((type) => ["content-type", type] as const) });
        expect(answer).toMatchObject({
          status: 415,
          json: { success: false, code: "unsupported_media_type" },
        });
        expect(await servers.store.dbsize()).toBe(0);
      });

    const valid = { token: "x", ...endpoints[target] };
    const json = JSON.stringify(valid);
    const [field = ""] = Object.keys(endpoints[target] ?? {});
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    const unreadable: [string, string | Buffer, number][] = [
      ["a byte order mark", `\ufeff${json}`, 400],
      ["UTF-16", Buffer.from(json, "utf16le"), 400],
      ["gzip that claims to be JSON", gzipSync(json), 400],
      ["two documents", json + json, 400],
      ["single quotes", json.replaceAll('"', "'"), 400],
      ["10,000 open brackets", "[".repeat(10_000), 400],
      ["8,000 nested arrays", deep(8_000), 422],
      ["8,000 nested arrays in its first field", `{"${field}":${deep(8_000)}}`, 422],
      ["900 nested objects", `${`{"${field}":`.repeat(900)}1${"}".repeat(900)}`, 422],
      ["10,000 nested arrays, which are too long", deep(10_000), 413],
      ["a body of a megabyte", `{"${field}":"${"x".repeat(1_000_000)}"}`, 413],
      ["its fields in a prototype", `{"__proto__":${json}}`, 422],
      ["its fields in a constructor", `{"constructor":{"prototype":${json}}}`, 422],
      ["its first field twice, the last of another type", `${json.slice(0, -1)},"${field}":{"a":1}}`, 422],
      ["its first field as an array of itself", JSON.stringify({ ...valid, [field]: [valid] }), 422],
      ["numbers beyond all bounds", `{"${field}":1e99999}`, 422],
    ];
    for (const [title, body, status] of unreadable)
      test(`refuses ${title}`, async () => {
        const answer = await send({ body });
        expect(answer).toMatchObject({ status, json: { success: false } });
        expect(await servers.store.dbsize()).toBe(0);
      });

    test("never unpacks a body: what is compressed is no JSON", async () => {
      const headers: [string, string][] = [
        ["content-type", "application/json"],
        ["content-encoding", "gzip"],
      ];
      expect(await send({ headers, body: gzipSync(json) })).toMatchObject({
        status: 400,
        json: { code: "invalid_json" },
      });
    });

    test("reads no more than 16 KiB of a body without a length", async () => {
      const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
      const headers: [string, string][] = [
        ["content-type", "application/json"],
        ["transfer-encoding", "chunked"],
      ];
      expect(await send({ headers, body: `${chunk.repeat(20)}0\r\n\r\n` })).toMatchObject({
        status: 413,
        json: { code: "body_too_large" },
      });
    });

    test("pollutes no prototype: what follows is answered as before", async () => {
      const pollution = `{"__proto__":{"success":true,"token":"y"},"constructor":{"prototype":{"success":true}}}`;
      await send({ body: pollution });
      expect((await send({ body: "{}" })).json).toMatchObject({ success: false, code: "invalid_request" });
      expect((await newVisitor().get("/api/health")).body).toEqual({ status: "ok" });
    });
  });

test("takes the same like from the site itself: the refusals above are not about the request", async () => {
  const visitor = newVisitor();
  visitor.cookies.set("flow", await sealFlow({ ...createFlow(post), post }, [sessionSecret]));
  const like = await visitor.post("/api/instagram/like", endpoints["/api/instagram/like"], {
    "content-type": "Application/JSON; charset=utf-8",
    origin: servers.app.url,
    "sec-fetch-site": "same-origin",
  });
  expect(like.status).toBe(200);
});

test("frees a handler whose body never comes to an end, and closes the connection", async () => {
  const answers = await Promise.all(
    Object.keys(endpoints).map((target) =>
      rawRequest(servers.app.port, {
        method: "POST",
        target,
        headers: [
          ["content-type", "application/json"],
          ["content-length", "100"],
          ["connection", "keep-alive"],
        ],
        body: `{"token":"`,
      }),
    ),
  );
  for (const answer of answers) {
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, code: "request_timeout" });
  }
});

test("calls a body that breaks off a bad request, and no failure of its own", async () => {
  const before = servers.app.output().length;
  await new Promise<void>((resolve) => {
    const socket = connect(servers.app.port, "localhost", () => {
      socket.write(
        `POST /api/recaptcha/verify HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"token":`,
      );
      setTimeout(() => socket.destroy(), 200);
    });
    socket.on("close", () => resolve());
  });
  await until("the refusal is logged", () => servers.app.output().slice(before).includes('"route":"verify"'));
  const line = servers.app
    .output()
    .slice(before)
    .split("\n")
    .find((text) => text.includes('"route":"verify"'));
  expect(JSON.parse(line ?? "")).toMatchObject({ level: "info", code: "invalid_json" });
});

test("reconciles for nobody without the secret, whatever else is sent", async () => {
  for (const authorization of [
    "",
    "Bearer",
    "Bearer ",
    `Basic ${cronSecret}`,
    `Bearer ${cronSecret}x`,
    cronSecret,
    "Bearer null",
  ]) {
    for (const method of ["GET", "POST"]) {
      const answer = await rawRequest(servers.app.port, {
        method,
        target: `/api/cron/reconcile?token=${cronSecret}`,
        headers: [["authorization", authorization]],
      });
      expect({ authorization, status: answer.status }).toEqual({ authorization, status: 401 });
    }
  }
});

test("has let no error of its own go uncaught under all of this, and called none of it a failure of its own", () => {
  const lines = servers.app.output().split("\n");
  const wrong = lines.filter((line) => /uncaught|unhandled|TypeError|"event":"request failed"/i.test(line));
  expect(wrong).toEqual([]);
});
