import { linkOf, postCode, postLink, sandboxCodes } from "@/testing/sample-posts";
import { expect, test, useServers } from "@/testing/test";
import { Visitor } from "@/testing/visitor";

/*
 * A browser stores the cookies of responses as they arrive, which can be another order than the server's. These tests store
 * the cookies of real responses late, and in both orders.
 */

const servers = useServers();
const otherCode = "OtherPost01";

type Fact = "flow" | "post" | "other post" | "refused" | "verification" | "get-likes" | "receipt";
type Send = (visitor: Visitor) => Promise<unknown>;

const verify: Send = (visitor) => visitor.verify(linkOf(otherCode));
const startOther: Send = (visitor) => visitor.startFlow(otherCode);
const details: Send = (visitor) => visitor.get("/api/instagram/post-details");
const like: Send = (visitor) => visitor.like(postCode, "key");
const visit =
  (path: string): Send =>
  (visitor) =>
    visitor.visit(path);

/** All requests whose responses may change the flow, with the facts that they add. */
const writers: Record<string, { send: Send; adds?: (known: Set<Fact>) => Fact | false }> = {
  details: { send: details, adds: (known) => (known.has("refused") ? "refused" : "post") },
  like: { send: like, adds: (known) => known.has("post") && "receipt" },
  receipt: { send: (visitor) => visitor.get("/api/instagram/receipt") },
  "/verification/": { send: visit("/verification/"), adds: () => "verification" },
  "/get-likes/": {
    send: visit("/get-likes/"),
    adds: (known) => known.has("post") && known.has("verification") && "get-likes",
  },
  "/success/": { send: visit("/success/") },
  "/private-account-error/": { send: visit("/private-account-error/") },
  // Browsers also request the home page without showing it, without a header that says so.
  "/": { send: visit("/") },
  verify: { send: verify },
  "another flow": { send: startOther },
};
const replacing: Record<string, Fact[]> = {
  "another flow": ["flow", "other post"],
  verify: ["flow"],
};

/** Returns what a browser knows after the responses to requests that it sent when it had `known`. */
function expectedFacts(known: Set<Fact>, names: readonly string[]): Set<Fact> {
  const replacement = Object.keys(replacing).find((name) => names.includes(name));
  if (replacement !== undefined) return new Set(replacing[replacement]);
  const added = names.map((name) => writers[name]?.adds?.(known) || "flow");
  return new Set([...known, ...added]);
}

/** Returns what the pages show to a browser with these facts. */
function viewOf(facts: Set<Fact>) {
  const hasPost = facts.has("post") || facts.has("other post");
  const isOver = facts.has("receipt");
  return {
    flow: facts.has("flow"),
    post: facts.has("post"),
    otherPost: facts.has("other post"),
    refused: facts.has("refused"),
    getLikes: hasPost && (isOver || facts.has("verification")),
    success: isOver && facts.has("get-likes"),
    receipt: isOver,
  };
}

async function look(visitor: Visitor): Promise<ReturnType<typeof viewOf>> {
  const shows = async (path: string, text: string) => {
    const { status, html } = await visitor.at(servers.app.url).visit(path);
    // After an order, step 3 leads to the receipt.
    return status === 307 ? path === "/get-likes/" : html.includes(text);
  };
  const receipt = await visitor.at(servers.app.url).get("/api/instagram/receipt");
  return {
    flow: receipt.status !== 403,
    post: await shows(`/preview/${postCode}?from=url-entry`, "<title>Get Likes"),
    otherPost: await shows(`/preview/${otherCode}?from=url-entry`, "<title>Get Likes"),
    refused: await shows("/private-account-error/", "It belongs to a private account."),
    getLikes: await shows("/get-likes/", "<title>Get 50 Free"),
    success: await shows("/success/", "<title>Likes Sent"),
    receipt: Boolean(receipt.body.order),
  };
}

/** Sends all requests with the same cookies. Returns the Set-Cookie headers of the responses. */
async function sendAll(visitor: Visitor): Promise<Map<string, string[]>> {
  const held = new Map<string, string[]>();
  for (const [name, { send }] of Object.entries(writers)) {
    const copy = visitor.at(servers.app.url);
    await send(copy);
    held.set(name, copy.received);
  }
  return held;
}

const steps: [fact: Fact, send: Send][] = [
  ["flow", (visitor) => visitor.verify(postLink)],
  ["post", details],
  ["verification", visit("/verification/")],
  ["get-likes", visit("/get-likes/")],
  ["receipt", like],
];
const refusedStart: [Fact, Send] = ["flow", (visitor) => visitor.verify(linkOf(sandboxCodes.private))];

for (const taken of [
  ...steps.map((_, index) => steps.slice(0, index + 1)),
  [refusedStart, ["refused", details] as [Fact, Send]],
])
  test.describe(`after ${taken.map(([fact]) => fact).join(", ")}`, () => {
    const known = new Set(taken.map(([fact]) => fact));
    async function start() {
      const visitor = new Visitor(servers.app.url);
      for (const [, send] of taken) await send(visitor);
      return visitor;
    }
    /** Stores the responses with these names, and compares what the visitor sees. */
    async function arrive(visitor: Visitor, held: Map<string, string[]>, names: string[], facts: Set<Fact>) {
      for (const line of names.flatMap((name) => held.get(name) ?? [])) visitor.store(line);
      expect({ names, ...(await look(visitor)) }).toEqual({ names, ...viewOf(facts) });
    }

    test("two responses have the same effect in both orders", async () => {
      const visitor = await start();
      const held = await sendAll(visitor);
      const names = [...held.keys()];
      // Each response also alone. Responses without cookies need no pair.
      const pairs = names
        .flatMap((first) => names.map((second) => [first, second]))
        .filter(
          ([first, second]) => first === second || (held.get(first!)?.length && held.get(second!)?.length),
        );
      await Promise.all(
        pairs.map((names) => arrive(visitor.at(servers.app.url), held, names, expectedFacts(known, names))),
      );
    });

    test("a response that arrives after a newer flow or the home page changes nothing", async () => {
      const visitor = await start();
      const held = await sendAll(visitor);
      const [newer, ended] = [visitor.at(servers.app.url), visitor.at(servers.app.url)];
      for (const send of [startOther, visit("/verification/")]) await send(newer);
      for (const name of ended.cookies.keys()) if (/^flow-\d+$/.test(name)) ended.cookies.delete(name);
      for (const name of held.keys()) {
        await arrive(
          newer.at(servers.app.url),
          held,
          [name],
          new Set(["flow", "other post", "verification"]),
        );
        if (!["verify", "another flow"].includes(name))
          await arrive(ended.at(servers.app.url), held, [name], new Set());
      }
    });
  });
