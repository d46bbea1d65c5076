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

const details: Send = (visitor) => visitor.get("/api/instagram/post-details");
const like: Send = (visitor) => visitor.like(postCode, "key");
const startOther: Send = (visitor) => visitor.startFlow(otherCode);
const visit =
  (path: string): Send =>
  (visitor) =>
    visitor.visit(path);

/** All requests whose responses may change the flow, and the facts that they add to those that the browser knows. */
type Writer = [send: Send, adds?: (known: Set<Fact>) => Fact | false];
const writers: Record<string, Writer> = {
  details: [details, (known) => (known.has("refused") ? "refused" : "post")],
  like: [like, (known) => known.has("post") && "receipt"],
  receipt: [(visitor) => visitor.get("/api/instagram/receipt")],
  "/verification/": [visit("/verification/"), () => "verification"],
  "/get-likes/": [
    visit("/get-likes/"),
    (known) => known.has("post") && known.has("verification") && "get-likes",
  ],
  "/success/": [visit("/success/")],
  "/private-account-error/": [visit("/private-account-error/")],
  // Browsers also request the home page without showing it, without a header that says so.
  "/": [visit("/")],
  // The next two replace the flow.
  verify: [(visitor) => visitor.verify(linkOf(otherCode))],
  "another flow": [startOther],
};

/** Returns what a browser knows after the responses to requests that it sent when it had `known`. */
function expectedFacts(known: Set<Fact>, names: readonly string[]): Fact[] {
  if (names.includes("another flow")) return ["flow", "other post"];
  if (names.includes("verify")) return ["flow"];
  return [...known, ...names.map((name) => writers[name]![1]?.(known) || "flow")];
}

/** Returns what the pages show to a browser with these facts. */
function viewOf(...facts: Fact[]) {
  const has = (fact: Fact) => facts.includes(fact);
  return {
    flow: has("flow"),
    post: has("post"),
    otherPost: has("other post"),
    refused: has("refused"),
    getLikes: (has("post") || has("other post")) && (has("receipt") || has("verification")),
    success: has("receipt") && has("get-likes"),
    receipt: has("receipt"),
  };
}

/** Returns what the pages show to a browser with these cookies. */
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

const steps: [fact: Fact, send: Send][] = [
  ["flow", (visitor) => visitor.verify(postLink)],
  ["post", details],
  ["verification", visit("/verification/")],
  ["get-likes", visit("/get-likes/")],
  ["receipt", like],
];
const refusedSteps: typeof steps = [
  ["flow", (visitor) => visitor.verify(linkOf(sandboxCodes.private))],
  ["refused", details],
];

for (const taken of [...steps.map((_, index) => steps.slice(0, index + 1)), refusedSteps])
  test(`late responses change nothing, and two have the same effect in both orders: after ${taken.map(([fact]) => fact).join(", ")}`, async () => {
    const known = new Set(taken.map(([fact]) => fact));
    const visitor = new Visitor(servers.app.url);
    for (const [, send] of taken) await send(visitor);
    const copyOf = (visitor: Visitor) => visitor.at(servers.app.url);

    /** The Set-Cookie headers of all responses to requests with the same cookies. */
    const held = new Map<string, string[]>();
    for (const [name, [send]] of Object.entries(writers)) {
      const copy = copyOf(visitor);
      await send(copy);
      held.set(name, copy.received);
    }
    /** Stores the responses with these names in a copy of a browser, and compares what it shows. */
    async function arrive(to: Visitor, names: string[], facts: Fact[]) {
      const browser = copyOf(to);
      for (const line of names.flatMap((name) => held.get(name)!)) browser.store(line);
      expect({ names, ...(await look(browser)) }).toEqual({ names, ...viewOf(...facts) });
    }

    // Each response also alone. Responses without cookies need no pair.
    const names = [...held.keys()];
    const pairs = names
      .flatMap((first) => names.map((second) => [first, second] as const))
      .filter(([first, second]) => first === second || (held.get(first)!.length && held.get(second)!.length));
    await Promise.all(pairs.map((pair) => arrive(visitor, [...pair], expectedFacts(known, pair))));

    // Then a newer flow begins, or the home page ends the flow.
    const [newer, ended] = [copyOf(visitor), copyOf(visitor)];
    for (const send of [startOther, visit("/verification/")]) await send(newer);
    for (const name of ended.cookies.keys()) if (/^flow-\d+$/.test(name)) ended.cookies.delete(name);
    for (const name of names) {
      await arrive(newer, [name], ["flow", "other post", "verification"]);
      if (!["verify", "another flow"].includes(name)) await arrive(ended, [name], []);
    }
  });
