import type { Redis } from "@upstash/redis";
import { readRedis } from "@/testing/redis-contents";
import { startHttpDouble } from "@/testing/servers/http-double";
import { testTransports, useTransport } from "@/testing/test-transports";
import { AppError } from "@/lib/http/errors";
import { countSharesScript, createLimiter, lookupScript } from "@/lib/server/http/rate-limits";
import { checkCaptcha, type CaptchaProvider } from "@/lib/server/captcha/check-captcha";
import { createInbox, type InboxMessage } from "@/lib/server/inbox/inbox";
import { createLedger } from "@/lib/server/likes/ledger";
import { confidential, newRequest, policy } from "@/testing/ledger/test-orders";
import { reportNotFound, topNotFound } from "@/lib/server/not-found/not-found-reports";
import { redisDeadlineMs } from "./reply";
import { createRestRequester } from "./rest";
import { withRedis, RedisClient } from "./client";

/*
 * Tests the Redis features that the product uses, over TCP and REST. testing/ledger tests the ledger's scripts, also sent twice,
 * and the lives of its keys. e2e/security/privacy.test.ts tests the lives of the other keys.
 */

/** Runs a script of lib/server/http/rate-limits.ts. An address may send three requests a minute. */
const countRequest = (client: Pick<Redis, "createScript">, id: string, script = countSharesScript) => {
  const limits = { shares: [{ name: "address", max: 3 }], lifeMs: 60_000, flowSeconds: 60, perFlow: 3 };
  const lookup = ["flow:1", "shares:address", "blocked"].map((name) => `{likes}:lookup:${name}`);
  const keys = script === lookupScript ? lookup : ["burst:address"];
  return client.createScript(script).exec(keys, [JSON.stringify({ ...limits, id })]);
};

const tokenProvider: CaptchaProvider = {
  checksLocally: true,
  check: () => Promise.resolve({ outcome: "passed", uniqueId: confidential, expiresInSeconds: 60 }),
} as unknown as CaptchaProvider;

const useToken = (client: RedisClient) =>
  checkCaptcha(
    { token: "token", host: "localhost" },
    tokenProvider,
    client,
    { mode: "enforce", onProviderError: "deny" },
    { address: "address", accepted: 1, count: () => Promise.resolve() },
  );

const submission = {
  form: "contact",
  fields: {},
  visitor: { addressHashes: ["a"], networks: [] },
  requestKey: "key",
} as const;

/** Awaits a promise that must reject. Returns the error and the time until the rejection. */
async function failureOf(work: Promise<unknown>): Promise<{ error: Error; milliseconds: number }> {
  const startedAt = performance.now();
  const error: unknown = await work.then(
    () => new Error("expected a failure"),
    (reason: unknown) => reason,
  );
  return { error: error as Error, milliseconds: performance.now() - startedAt };
}

/** Returns name, message and stack of an error and of its causes: all text that a log could contain. */
function errorText(error: unknown): string {
  return error instanceof Error
    ? [error.name, error.message, error.stack, errorText(error.cause)].join("\n")
    : String(error);
}

describe.each(testTransports)("over $name", ({ start }) => {
  const transport = useTransport(start);
  afterEach(() => transport.heal());

  describe("the commands of the product", () => {
    it("counts requests in a rate-limit window, also after SCRIPT FLUSH", async () => {
      const waits = [];
      for (let n = 0; n < 4; n += 1) {
        if (n === 2) await transport.redis.scriptFlush();
        waits.push(await countRequest(transport.redis.batched, `id-${n}`));
      }
      expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
      expect(waits[3]).toBeGreaterThan(59_000);
    });

    it("stores no refused address in the process, so that only Redis decides", async () => {
      const limiter = createLimiter(transport.redis.batched, "verify", 1);
      const limit = async () => (await limiter.limit("address")).success;
      expect([await limit(), await limit()]).toEqual([true, false]);
      await transport.redis.flushall();
      expect(await limit()).toBe(true);
    });

    it("counts unknown paths, and above 500 halves the counts and removes rare paths", async () => {
      for (let n = 0; n < 5; n += 1) await reportNotFound("/wo/bin/ich-übrig?an=✓", transport.redis);
      expect(await topNotFound(9, transport.redis)).toEqual([{ path: "/wo/bin/ich-übrig", reports: 5 }]);
      const pipeline = transport.redis.pipeline();
      for (let n = 0; n < 499; n += 1) pipeline.zincrby("not-found:paths", 1, `/${n}`);
      await pipeline.exec();
      expect(await transport.redis.zcard("not-found:paths")).toBe(500);
      for (const path of ["/new", "/newer"]) await reportNotFound(path, transport.redis);
      expect(await topNotFound(9, transport.redis)).toEqual([
        { path: "/wo/bin/ich-übrig", reports: 3 },
        { path: "/newer", reports: 1 },
      ]);
      expect(await transport.redis.ttl("not-found:paths")).toBeGreaterThan(0);
    });

    it("stores a message once, leases it to one mailer, and deletes it completely", async () => {
      const inbox = createInbox(transport.redis, true);
      const submitted = { ...submission, fields: { name: "Ö" } };
      await inbox.store(submitted);
      expect(await transport.redis.ttl("{inbox}:v1:request:key")).toBeGreaterThan(23 * 3_600);
      await transport.redis.scriptFlush();
      await inbox.store(submitted);
      expect(await inbox.hasStored(submitted)).toBe(true);
      expect(await inbox.hasStored({ ...submitted, requestKey: "other" })).toBe(false);
      for (const reuse of [inbox.store(submission), inbox.hasStored(submission)])
        await expect(reuse).rejects.toMatchObject({ code: "idempotency_key_reused" });
      const messages = await inbox.list();
      expect(messages).toMatchObject([{ form: "contact", fields: { name: "Ö" } }]);
      const claims = await Promise.all([inbox.claimUnmailed(), inbox.claimUnmailed()]);
      expect(claims.filter((message) => message !== null)).toEqual(messages);
      await inbox.remove(messages[0]!.id);
      expect(await inbox.list()).toEqual([]);
      expect(await transport.redis.zcard("{inbox}:v1:unmailed")).toBe(0);
    });
  });

  describe("errors", () => {
    it("reports only the error code of a failed command", async () => {
      await transport.redis.set(confidential, confidential);
      const { error } = await failureOf(transport.redis.zincrby(confidential, 1, confidential));
      expect(error.message).toBe("WRONGTYPE");
      expect(errorText(error)).not.toContain(confidential);
      const script = await failureOf(
        transport.redis.eval("return redis.error_reply(ARGV[1])", [], [confidential]),
      );
      expect(errorText(script.error)).not.toContain(confidential);
    });

    it("runs the rest of a pipeline after an error, and reports only the error code", async () => {
      await transport.redis.set("text", confidential);
      const pipeline = transport.redis
        .pipeline()
        .set("first", 1)
        .zincrby("text", 1, confidential)
        .set("last", 2);
      const replies = await pipeline.exec({ keepErrors: true });
      expect(replies.map(({ error }) => error)).toEqual([undefined, "WRONGTYPE", undefined]);
      expect(await transport.redis.mget("first", "last")).toEqual([1, 2]);
      const failing = () => transport.redis.pipeline().zincrby("text", 1, confidential).exec();
      const { error } = await failureOf(withRedis("work", failing));
      expect(error).toMatchObject({ code: "service_unavailable", retryAfterSeconds: 5 });
      expect(errorText(error)).toContain("work failed (WRONGTYPE)");
      expect(errorText(error)).not.toContain(confidential);
    });

    it("rethrows an AppError of the operation unchanged", async () => {
      const own = new AppError("captcha_rejected");
      expect((await failureOf(withRedis("work", () => Promise.reject(own)))).error).toBe(own);
    });
  });

  describe("the deadline", () => {
    it.each([
      ["a server that never replies", () => transport.hang()],
      ["a lost reply and then no reply", () => transport.loseNextAnswer({ thenHang: true })],
      ["late replies", () => transport.delayAnswers(2_500)],
    ])("limits the duration of commands, pipelines and operations: %s", async (_, fail) => {
      const ledger = createLedger(transport.redis, policy);
      await ledger.dailyUsage();
      fail();
      const failures = await Promise.all([
        failureOf(transport.redis.set(confidential, confidential)),
        failureOf(transport.redis.pipeline().set(confidential, 1).exec()),
        failureOf(ledger.reserve(newRequest())),
        failureOf(useToken(transport.redis)),
      ]);
      expect(failures.filter(({ milliseconds }) => milliseconds >= 2_000)).toEqual([]);
      expect(Math.max(...failures.map(({ milliseconds }) => milliseconds))).toBeGreaterThan(
        redisDeadlineMs - 100,
      );
      for (const { error } of failures) {
        expect(error.message).not.toBe("expected a failure");
        expect(errorText(error)).not.toContain(confidential);
      }
      expect(failures[2]?.error).toMatchObject({ code: "service_unavailable", retryAfterSeconds: 5 });
    });

    it("applies one deadline to both requests after NOSCRIPT", async () => {
      const ledger = createLedger(transport.redis, policy);
      await ledger.dailyUsage();
      await transport.redis.scriptFlush();
      // The first reply is NOSCRIPT. The second reply would arrive after the deadline.
      transport.delayAnswers(1_000);
      const { error, milliseconds } = await failureOf(ledger.status(newRequest().visitor));
      expect(error).toMatchObject({ code: "service_unavailable" });
      expect(milliseconds).toBeGreaterThan(redisDeadlineMs - 100);
      expect(milliseconds).toBeLessThan(2_000);
    });
  });

  // The next tests send each other script twice.
  it("repeats a command after a lost reply, which makes a captcha token neither unusable nor usable twice", async () => {
    transport.loseNextAnswer();
    await useToken(transport.redis);
    expect((await failureOf(useToken(transport.redis))).error).toMatchObject({ code: "captcha_rejected" });
  });
});

describe("a command that the client sends twice", () => {
  const transport = useTransport();
  let seconds = Math.floor(Date.now() / 1_000);

  /** Creates clients whose scripts see a fixed time, a second after the clients before. `send` sends their commands. */
  function createParts(
    send: (request: () => Promise<{ result?: unknown }>, name?: string) => Promise<unknown> = (request) =>
      request(),
  ) {
    const clock = `{ ${(seconds += 1)}, 0 }`;
    const client = new RedisClient({
      async request<T>({ body }: { body?: unknown }) {
        const command = (body as unknown[]).map((part) => String(part).replace("redis.call('TIME')", clock));
        if (command[0] === "evalsha") return { error: "NOSCRIPT" } as T;
        return (await send(() => transport.requester.request({ body: command }), command[0])) as T;
      },
    });
    return { client, inbox: createInbox(client, true) };
  }
  type Parts = ReturnType<typeof createParts>;
  const storeMessage = ({ inbox }: Parts, name: string) =>
    inbox.store({ ...submission, requestKey: name, visitor: { addressHashes: [name], networks: [] } });
  async function claimMessage(parts: Parts): Promise<InboxMessage | null> {
    for (const name of ["a", "b"]) await storeMessage(parts, name);
    return parts.inbox.claimUnmailed();
  }

  it.each<{
    name: string;
    run: (parts: Parts, prepared: never) => Promise<unknown>;
    prepare?: (parts: Parts) => Promise<unknown>;
    /** Another client runs this between the two commands. */
    between?: (parts: Parts) => Promise<unknown>;
  }>([
    { name: "store", run: (parts) => storeMessage(parts, "a"), between: (parts) => storeMessage(parts, "b") },
    { name: "remove", prepare: claimMessage, run: ({ inbox }, { id }: InboxMessage) => inbox.remove(id) },
    {
      name: "returnMail",
      prepare: claimMessage,
      run: ({ inbox }, { id }: InboxMessage) => inbox.returnMail(id),
    },
    ...[countSharesScript, lookupScript].map((script) => ({
      name: script === lookupScript ? "lookup" : "count",
      run: ({ client }: Parts) => countRequest(client, "id-1", script),
      between: ({ client }: Parts) => countRequest(client, "id-2", script),
    })),
    {
      name: "lookup above the share",
      prepare: () => transport.redis.hset("{likes}:lookup:shares:address", { address: 3 }),
      run: ({ client }) => countRequest(client, "id", lookupScript),
    },
    { name: "captcha use", run: ({ client }) => useToken(client) },
    {
      name: "captcha use above the limit",
      prepare: () => transport.redis.set("{captcha}:accepted:address", 1, { ex: 60 }),
      run: ({ client }) => expect(useToken(client)).rejects.toMatchObject({ code: "rate_limited" }),
    },
  ])("changes nothing the second time, and gets the same reply: $name", async ({ prepare, run, between }) => {
    const other = createParts();
    const prepared = (await prepare?.(other)) as never;
    const seen: unknown[][] = [];
    const twice = createParts(async (request, name) => {
      const first = await request();
      await between?.(other);
      const before = await readState();
      const second = await request();
      seen.push([before, await readState()]);
      // The other client may change the reply, the product reads only replies of scripts, and some of these are a time left.
      if (!between && name === "eval" && !(Number(first.result) > 1_000))
        seen.push([parse(first.result), parse(second.result)]);
      return second;
    });
    await run(twice, prepared);
    expect(seen.length).toBeGreaterThan(0);
    for (const [first, second] of seen) expect(second).toEqual(first);
  });

  /** Parses JSON, because Lua's JSON has no fixed order of fields. */
  function parse(value: unknown): unknown {
    return typeof value === "string" && /^[{[]/.test(value) ? (JSON.parse(value) as object) : value;
  }

  async function readState() {
    return (await readRedis(transport.server.url))
      .map(({ key, value, lifeSeconds }) => ({ key, value: parse(value), expires: lifeSeconds < Infinity }))
      .sort((a, b) => a.key.localeCompare(b.key));
  }
});

it.each<[status: number, body: unknown, code?: string]>([
  [307, { result: "PONG" }],
  [500, { result: "PONG" }],
  ...["<!doctype html>", "null", "[]", "{}"].map((body): [number, string] => [200, body]),
  [400, { error: "ERR max daily request limit exceeded. Limit: 10000, Usage: 10000." }, "QUOTA"],
  [429, { error: "ERR max requests limit exceeded. Limit: 500000, Usage: 500000." }, "QUOTA"],
  [429, "<!doctype html>", "THROTTLED"],
  [401, { error: "Unauthorized" }, "WRONGPASS"],
])(
  "rejects %i %j of a REST API with the code %s, and follows no redirect",
  async (status, body, code = "") => {
    const other = await startHttpDouble("", { body: { result: "PONG" } }, {});
    const api = await startHttpDouble("", { status, body, headers: { location: other.url } }, {});
    const client = new RedisClient(createRestRequester({ url: api.url, token: "t" }));
    const { error } = await failureOf(withRedis("work", () => client.ping()));
    await Promise.all([api.stop(), other.stop()]);
    expect(errorText(error)).toContain(`work failed (${code}`);
    expect(other.requests).toEqual([]);
  },
);
