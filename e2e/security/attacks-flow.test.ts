import { expect, test, useServers } from "../support/test";
import { createServer } from "node:http";
import { createFlow, sealFlow, type Flow } from "@/lib/server/identity/flow-cookie";
import { sessionSecret } from "../support/servers/app-server";
import { rawRequest, type RawRequest } from "../support/raw-http";
import { postCode, postLink } from "../support/sample-posts";
import { newAddress, referenceOf, Visitor, type ApiAnswer } from "../support/visitor";

/*
 * Attacks on the flow: whatever a newcomer sends, no guarded page opens and no order is made; and whatever is done to
 * cookies, one human check makes one order at most.
 */

const post = { postId: postCode, type: "post" as const };
const likeBody = JSON.stringify({ instagramUrl: postLink });

const servers = useServers({}, async (servers) => {
  const env = { SITE_URL: "https://likes.example.com" };
  const [app, httpsApp] = await Promise.all([servers.start(), servers.start({ env })]);
  return { app, httpsApp };
});
test.beforeEach(async () => {
  await servers.store.flushall();
});

const countOrders = async () => (await servers.store.keys("{likes}:v2:order:*")).length;

/** A flow at step 3, without the work of the human check. */
const verifiedFlow = (): Flow => ({ ...createFlow(post), post });
const seal = (flow: Flow, secret = sessionSecret) => sealFlow(flow, [secret]);

/** Somebody new, with what is given as the cookie. */
function stranger(flowCookie?: string, cookieName = "flow"): Visitor {
  const visitor = new Visitor(servers.app.url);
  if (flowCookie !== undefined) visitor.cookies.set(cookieName, flowCookie);
  return visitor;
}

/** The guarded pages, each with words that no other page has: its title, as the document and the router's form of it would write it. */
const guarded = {
  "/verification": "Checking Your Instagram Post | Boost50",
  "/get-likes": "Get 50 Free Instagram Likes | Boost50",
  "/success": "Likes Sent Successfully | Boost50",
  [`/preview/${post.postId}`]: "Get Likes for Your Post | Boost50",
};
const guardedTitles = Object.values(guarded);

/** Sends a request as a newcomer, and fails when the answer is a server's error or holds a guarded page. */
async function expectNothingGuarded(request: RawRequest): Promise<number> {
  const answer = await rawRequest(servers.app.port, request);
  const what = {
    target: request.target.slice(0, 100),
    headers: JSON.stringify(request.headers ?? []).slice(0, 200),
  };
  const location = answer.headers.get("location");
  expect({
    ...what,
    answered: answer.status >= 200 && answer.status < 500,
    shown: guardedTitles.filter((title) => answer.body.includes(title)),
    sentElsewhere: location !== null && !/^\/(?![/\\])/.test(location) ? location : null,
  }).toEqual({ ...what, answered: true, shown: [], sentElsewhere: null });
  return answer.status;
}

test("opens every guarded page to whoever went through the flow, as a page: the attacks below look for these", async () => {
  const receipt = {
    reference: "0000-0000-0000",
    ...post,
    likes: 50,
    acceptedAt: new Date().toISOString(),
    nextAvailable: new Date().toISOString(),
  };
  for (const [path, title] of Object.entries(guarded)) {
    // After an accepted order, steps 2 and 3 lead forward to the receipt.
    const flow = { ...verifiedFlow(), visited: ["/verification", "/get-likes"] };
    const cookie = await seal(path === "/success" ? { ...flow, receipt } : flow);
    for (const rsc of [[], [["rsc", "1"]]] as [string, string][][]) {
      const { body } = await rawRequest(servers.app.port, {
        target: `${path}?from=url-entry&_rsc`,
        headers: [["cookie", `flow=${cookie}`], ...rsc],
      });
      expect({ path, rsc, shown: body.includes(title) }).toEqual({ path, rsc, shown: true });
    }
  }
});

/** Headers by which frameworks and proxies have been talked out of their middleware. */
const bypassHeaders: [string, string][] = [
  ...["middleware", "src/middleware", "pages/_middleware", "proxy"].flatMap((name): [string, string][] => [
    ["x-middleware-subrequest", name],
    ["x-middleware-subrequest", Array<string>(5).fill(name).join(":")],
    ["x-middleware-subrequest", Array<string>(50).fill(name).join(":")],
  ]),
  ["x-middleware-subrequest-id", "0"],
  ["x-middleware-next", "1"],
  ["x-middleware-rewrite", "/get-likes"],
  ["x-middleware-redirect", "/get-likes"],
  ["x-middleware-invoke", "1"],
  ["x-middleware-prefetch", "1"],
  ["x-middleware-skip", "1"],
  ["x-middleware-override-headers", "cookie"],
  ["x-middleware-request-cookie", "flow=x"],
  ["x-middleware-set-cookie", "flow=x"],
  ["x-nextjs-data", "1"],
  ["x-nextjs-rewrite", "1"],
  ["x-invoke-path", "/get-likes"],
  ["x-invoke-output", "/get-likes"],
  ["x-invoke-status", "200"],
  ["x-matched-path", "/get-likes"],
  ["x-now-route-matches", "1=get-likes"],
  ["x-prerender-revalidate", "x"],
  ["x-prerender-bypass-mode", "static"],
  ["next-resume", "1"],
  ["next-url", "/get-likes"],
  ["next-action", "0".repeat(42)],
  ["rsc", "1"],
  ["next-router-prefetch", "1"],
  ["next-router-prefetch", "2"],
  ["next-router-segment-prefetch", "/_tree"],
  ["next-router-segment-prefetch", "/_full"],
  ["next-router-segment-prefetch", "/get-likes/__PAGE__"],
  ["next-router-state-tree", "%5B%22%22%2C%7B%7D%5D"],
  ["x-original-url", "/get-likes"],
  ["x-original-uri", "/get-likes"],
  ["x-rewrite-url", "/get-likes"],
  ["x-forwarded-uri", "/get-likes"],
  ["x-forwarded-prefix", "/get-likes"],
  ["x-forwarded-host", "evil.example"],
  ["x-forwarded-proto", "javascript"],
  ["x-http-method-override", "PUT"],
  ["x-method-override", "POST"],
  ["purpose", "prefetch"],
  ["sec-purpose", "prefetch;prerender"],
  ["cookie", "__prerender_bypass=x; __next_preview_data=x"],
  ["cookie", "flow=; __Host-flow=; rate-limit="],
  ["host", "evil.example"],
];

test.describe("a header that talks a framework out of its middleware", () => {
  for (const [name, value] of bypassHeaders)
    test(`opens nothing and orders nothing: ${name}: ${value}`, async () => {
      const header = [name, value] as const;
      for (const path of Object.keys(guarded)) {
        for (const target of [
          path,
          `${path}/?from=url-entry`,
          `${path}.rsc`,
          `${path}?from=url-entry&_rsc`,
        ]) {
          await expectNothingGuarded({ target, headers: [header] });
          await expectNothingGuarded({ target, headers: [header, ["rsc", "1"]] });
        }
      }
      // At the home page it must not stand in for another page either.
      await expectNothingGuarded({ target: "/", headers: [header] });
      const like = await rawRequest(servers.app.port, {
        method: "POST",
        target: "/api/instagram/like",
        headers: [["content-type", "application/json"], ["x-real-ip", newAddress()], header],
        body: likeBody,
      });
      expect(like.status).toBe(403);
      expect(like.body).toContain('"code":"flow_required"');
      expect(await countOrders()).toBe(0);
    });
});

test.describe("an odd address", () => {
  const around = (path: string): string[] => [
    `/${path}`,
    `//${path.slice(1)}//`,
    `${path}//`,
    `/.${path}`,
    `/x/..${path}`,
    `/_next/..${path}`,
    `/_next/static/../..${path}`,
    `/api/..${path}`,
    `/%2e${path}`,
    `/x/%2e%2e${path}`,
    `/x/..%2f${path.slice(1)}`,
    `/%2f${path.slice(1)}`,
    `/%5c${path.slice(1)}`,
    `/\\${path.slice(1)}`,
    `${path}\\`,
    `${path}%2f`,
    `${path}%5c`,
    `${path}/.`,
    `${path}/%2e`,
    `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
    `/%25${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
    path.toUpperCase(),
    `/${path.charAt(1).toUpperCase()}${path.slice(2)}/`,
    ...[
      ";x",
      ";/",
      "%3bx",
      "%00",
      "%0a",
      "%20",
      "%09",
      ".",
      "..",
      "~",
      "%",
      "%zz",
      "%c0%af",
      "%ff",
      "%23",
      "%3f",
    ].map((junk) => path + junk),
    ...[".html", ".rsc", ".txt", ".json", ".prefetch.rsc", ".meta", ".body", ".action"].map(
      (end) => path + end,
    ),
    ...["_tree", "_index", "_full", "_head", "!KGZsb3cp/get-likes/__PAGE__"].map(
      (segment) => `${path}.segments/${segment}.segment.rsc`,
    ),
    `${path}/index.rsc`,
    `${path}/__PAGE__`,
    `${path}?_rsc=`,
    `${path}?from=url-entry&_rsc`,
    `${path}?__nextDataReq=1&__nextDefaultLocale=en`,
    `${path}?nxtPpostId=shell&nextParamPostId=shell`,
    `${path}#fragment`,
    `/_next/data${path}.json`,
    `/_next/data/build-id${path}.json`,
    `/_next/data/build-id/en${path}.json?from=url-entry`,
    `/_next/image?url=${encodeURIComponent(path)}&w=640&q=75`,
    `/(flow)${path}`,
    `/en${path}`,
    `/app${path}/page`,
    `http://localhost:80${path}`,
    `http://evil.example${path}`,
    `${path}?${"a".repeat(12_000)}`,
    `${path}${"/".repeat(12_000)}x`,
    `${path}/${"a".repeat(12_000)}`,
  ];

  for (const path of [...Object.keys(guarded), "/preview/shell", "/start-over"])
    test(`opens nothing and breaks nothing: variants of ${path}`, async () => {
      for (const target of around(path)) {
        await expectNothingGuarded({ target });
        await expectNothingGuarded({ target, headers: [["rsc", "1"]] });
      }
    });

  test("breaks nothing: targets that are hardly addresses, and ones that lead elsewhere", async () => {
    const targets = [
      "/%",
      "/%00",
      "/\u00ff",
      "/..%2f..%2fetc/passwd",
      "/../../etc/passwd",
      "//evil.example/%2f..",
      "/\\evil.example",
    ];
    for (const target of [
      ...targets,
      "///evil.example",
      "/%2fevil.example",
      "/%09/evil.example",
      "/@evil.example",
    ]) {
      await expectNothingGuarded({ target });
    }
    expect(await expectNothingGuarded({ target: "/with a space" })).toBe(400);
    expect(await expectNothingGuarded({ target: "/with-nul\0" })).toBe(400);
    expect(await expectNothingGuarded({ target: `/${"a".repeat(17_000)}` })).toBe(431);
  });

  for (const [method, target, status] of [
    ["GET", "*", 400],
    ["OPTIONS", "*", 400],
    ["GET", "http://evil.example/", 400],
    ["GET", "evil.example", 400],
    ["TRACE", "/get-likes", 405],
    ["TRACE", "/api/health", 405],
    ["PUT", "/get-likes", 405],
    ["DELETE", "/", 405],
    ["POST", "/success", 405],
  ] as const)
    test(`is refused: ${method} ${target}`, async () => {
      expect(await expectNothingGuarded({ method, target })).toBe(status);
    });

  test("is never fetched: no address and no Host makes the server call out", async () => {
    const calls: string[] = [];
    const listener = createServer((request, response) => {
      calls.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const outside = `127.0.0.1:${(listener.address() as { port: number }).port}`;
    for (const host of [outside, `user@${outside}`, `${outside}/x?`]) {
      for (const target of ["/get-likes", "/preview/x", "/start-over", "/terms", "/", `http://${outside}/`]) {
        for (const name of ["host", "x-forwarded-host"]) {
          await expectNothingGuarded({ target, headers: [[name, host]] });
        }
      }
    }
    const inQuery = encodeURIComponent(`http://${outside}/p/abc/`);
    await expectNothingGuarded({ target: `/_next/image?url=${inQuery}&w=640&q=75` });
    await expectNothingGuarded({ target: `/api/instagram/post-details?url=${inQuery}` });
    await new Promise((resolve) => listener.close(resolve));
    expect(calls).toEqual([]);
  });
});

test.describe("a flow cookie that this server did not seal for now", () => {
  async function expectNoFlow(what: string, visitor: Visitor): Promise<void> {
    const like = await visitor.like();
    const page = await visitor.visit("/get-likes");
    expect({
      what,
      status: like.status,
      code: like.body.code,
      page: page.status,
      shown: guardedTitles.filter((title) => page.html.includes(title)),
    }).toEqual({ what, status: 403, code: "flow_required", page: 200, shown: [] });
  }

  test("is none: changed in any part", async () => {
    const sealed = await seal({ ...verifiedFlow(), visited: ["/verification"] });
    const parts = sealed.replace(/~2$/, "").split("*");
    for (const [index, part] of parts.entries()) {
      const middle = Math.floor(part.length / 2);
      const changed = part.slice(0, middle) + (part[middle] === "1" ? "2" : "1") + part.slice(middle + 1);
      for (const instead of [changed, "", "__proto__", "constructor", "default", "0"]) {
        const forged = [...parts.slice(0, index), instead, ...parts.slice(index + 1)].join("*");
        if (forged !== parts.join("*"))
          await expectNoFlow(`part ${index} is ${instead}`, stranger(`${forged}~2`));
      }
    }
  });

  test("is none: cut off, with junk behind it, or of another version", async () => {
    const sealed = await seal({ ...verifiedFlow(), visited: ["/verification"] });
    const cuts = [1, 10, 80, sealed.length - 10, sealed.length - 3].map((length) => sealed.slice(0, length));
    const joined = ["~", "~1", "~9", "~x", "*", "x", "%00"].map((end) => sealed.replace(/~2$/, "") + end);
    // Version 1 kept its content elsewhere: nothing of this flow is found there.
    for (const cookie of [...cuts, ...joined, `"${sealed}"x`, ` ${sealed}x`]) {
      await expectNoFlow(cookie.slice(-12), stranger(cookie));
    }
  });

  test("is none: sealed with another secret, under its own name for it and under ours", async () => {
    const flow = { ...verifiedFlow(), visited: ["/verification"] };
    const foreign = await seal(flow, "another-secret-0123456789-0123456789");
    const ours = (await seal(flow)).split("*")[1] ?? "";
    await expectNoFlow("foreign", stranger(foreign));
    await expectNoFlow("foreign under our name", stranger(foreign.split("*").with(1, ours).join("*")));
  });

  test("is none: an hour after the human check, and when the seal itself is older", async () => {
    const flow = { ...verifiedFlow(), visited: ["/verification"] };
    const hourAgo = Date.now() - 3_601_000;
    await expectNoFlow("an old flow in a new seal", stranger(await seal({ ...flow, startedAt: hourAgo })));
    const { now } = Date;
    Date.now = () => hourAgo - 60_000;
    const oldSeal = await seal(flow).finally(() => (Date.now = now));
    await expectNoFlow("an old seal", stranger(oldSeal));
  });

  test("is none: of another shape", async () => {
    const wrong: unknown[] = [null, [], "flow", { id: 1 }, { ...verifiedFlow(), visited: "/get-likes" }, {}];
    for (const flow of wrong) await expectNoFlow(JSON.stringify(flow), stranger(await seal(flow as Flow)));
  });

  test("is none: as long as a header may be, and refused when longer", async () => {
    await expectNoFlow("15,000 bytes", stranger("x".repeat(15_000)));
    await expectNoFlow("15,000 bytes of stars", stranger("*".repeat(15_000)));
    await expectNoFlow(
      "many cookies",
      stranger(Array.from({ length: 1_500 }, (_, n) => `a; b${n}=`).join("")),
    );
    const { status } = await stranger("x".repeat(17_000)).fetch("/api/instagram/like", { method: "POST" });
    expect(status).toBe(431);
  });

  test("is none where the site has https: only the __Host- name counts", async () => {
    const ask = async (name: string) => {
      const visitor = new Visitor(servers.httpsApp.url);
      visitor.cookies.set(name, await seal({ ...verifiedFlow(), visited: ["/verification"] }));
      const { html } = await visitor.visit("/get-likes");
      return { opened: html.includes(guarded["/get-likes"]), status: (await visitor.like()).status };
    };
    expect(await ask("flow")).toEqual({ opened: false, status: 403 });
    expect(await ask("__host-flow")).toEqual({ opened: false, status: 403 });
    expect(await ask("__Host-flow")).toEqual({ opened: true, status: 200 });
  });

  test.afterEach(async () => {
    // The https site's own, accepted one is the only order here.
    expect(await countOrders()).toBeLessThanOrEqual(1);
  });
});

test.describe("one human check makes one order, whoever shows its cookie", () => {
  const outcomes = (answers: ApiAnswer[]) => answers.map(({ status }) => status).sort();

  test("twenty visitors at once with the same cookie", async () => {
    const cookie = await seal(verifiedFlow());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stranger(cookie).like(post.postId, `key-${n}`)),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    expect(new Set(accepted.map(referenceOf)).size).toBe(1);
    expect(outcomes(answers).every((status) => [200, 403, 409].includes(status))).toBe(true);
    expect(await countOrders()).toBe(1);
  });

  test("the cookie of before an order, after it: from another visitor, and from the same once his cooldown is over", async () => {
    const flow = verifiedFlow();
    const cookie = await seal(flow);
    const first = stranger(cookie);
    expect((await first.like()).status).toBe(200);
    expect(await stranger(cookie).like()).toMatchObject({ status: 403, body: { code: "flow_required" } });
    for (const key of await servers.store.keys("{likes}:v2:visitor:*")) await servers.store.del(key);
    first.cookies.delete("rate-limit");
    first.cookies.set("flow", cookie);
    expect(await first.like()).toMatchObject({ status: 403, body: { code: "flow_required" } });
    // Neither does it help to seal its content anew, as a page visited meanwhile does.
    const resealed = await seal({ ...flow, visited: ["/verification"] });
    expect((await stranger(resealed).like()).status).toBe(403);
    expect(await countOrders()).toBe(1);
  });

  test("all cookies of another visitor after his order: they open no second one, under no address or fingerprint", async () => {
    const owner = stranger(await seal(verifiedFlow()));
    expect((await owner.like("Cxyz123abc_", "key")).status).toBe(200);
    for (const options of [
      { address: newAddress(), fingerprint: "thief" },
      { ...owner.options, fingerprint: "thief" },
      { ...owner.options, address: newAddress() },
      { ...owner.options, fingerprint: undefined, userAgent: "thief" },
    ]) {
      const thief = new Visitor(servers.app.url, options);
      for (const [name, value] of owner.cookies) thief.cookies.set(name, value);
      expect(await thief.like("Cxyz123abc_", "key")).toMatchObject({
        status: 429,
        body: { code: "cooldown" },
      });
      thief.cookies.delete("rate-limit");
      expect(await thief.like()).toMatchObject({ status: 403, body: { code: "flow_required" } });
    }
    expect(await countOrders()).toBe(1);
  });

  test("an Idempotency-Key of somebody else tells nothing of his order", async () => {
    const owner = stranger(await seal(verifiedFlow()));
    const theirs = await owner.like(post.postId, "key");
    const other = await stranger(await seal(verifiedFlow())).like(post.postId, "key");
    expect([theirs.status, other.status]).toEqual([200, 200]);
    expect(other.body.order).not.toEqual(theirs.body.order);
    expect(await countOrders()).toBe(2);
  });

  test("a rate-limit cookie that Redis does not know, or of any shape, changes nothing", async () => {
    const names = ["A".repeat(22), "*", "c:x", "x".repeat(4_000), "..", "%00", "__proto__", "}:v2:order:x"];
    for (const value of names) {
      const visitor = stranger(await seal(verifiedFlow()));
      visitor.cookies.set("rate-limit", value);
      expect((await visitor.get("/api/instagram/status")).body).toMatchObject({ canRequest: true });
      expect((await visitor.like()).status).toBe(200);
    }
    expect(await countOrders()).toBe(names.length);
  });

  test("two flow cookies in one request are one flow: its own order at most", async () => {
    const [one, two] = [await seal(verifiedFlow()), await seal(verifiedFlow())];
    const address = newAddress();
    for (const lines of [
      [`flow=${one}; flow=${two}`],
      [`flow=${two}; flow=${one}`],
      [`flow=${one}`, `flow=${two}`],
      [`flow=broken; flow=${one}`],
      [`flow=${two}; flow=broken`],
    ]) {
      const { status } = await rawRequest(servers.app.port, {
        method: "POST",
        target: "/api/instagram/like",
        headers: [
          ["content-type", "application/json"],
          ["x-real-ip", address],
          ...lines.map((line) => ["cookie", line] as const),
        ],
        body: likeBody,
      });
      expect([200, 403, 429]).toContain(status);
    }
    expect(await countOrders()).toBe(1);
  });
});
