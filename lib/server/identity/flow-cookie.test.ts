import { createHash } from "node:crypto";
import fc from "fast-check";
import { sealData } from "iron-session";
import { NextRequest } from "next/server";
import type { createFlow, writeFlow } from "./flow-cookie";

const oldSecret = "o".repeat(40);
const newSecret = "n".repeat(40);

/** The module as a server process with these secrets would load it. */
async function withSecrets(secrets: string): Promise<typeof import("./flow-cookie")> {
  process.env.SESSION_SECRET = secrets;
  process.env.VISITOR_HASH_SECRET = secrets;
  process.env.REDIS_URL = "redis://127.0.0.1:1";
  jest.resetModules();
  return import("./flow-cookie");
}

async function sealedBy(session: { writeFlow: typeof writeFlow }, flow: ReturnType<typeof createFlow>) {
  const headers = new Headers();
  await session.writeFlow(headers, flow);
  const [, value = ""] = /^flow=([^;]+)/.exec(headers.getSetCookie()[0] ?? "") ?? [];
  return decodeURIComponent(value);
}

function requestWith(cookie: string): NextRequest {
  return new NextRequest("http://localhost:3000/", { headers: { cookie: `flow=${cookie}` } });
}

const link = { postId: "Cxyz123abc_", type: "post" as const };

it("reads back what it wrote, and nothing from a cookie that was tampered with", async () => {
  const session = await withSecrets(newSecret);
  const flow = session.createFlow(link);
  const cookie = await sealedBy(session, flow);
  expect(await session.readFlow(requestWith(cookie))).toEqual(flow);
  const tampered = cookie.replace(/.(?=.{40}$)/, (letter) => (letter === "A" ? "B" : "A"));
  expect(await session.readFlow(requestWith(tampered))).toBeNull();
});

it("goes on with a flow that began before refusals were kept", async () => {
  const session = await withSecrets(newSecret);
  const flow = session.createFlow(link);
  // As it leaves no trace in JSON.
  const cookie = await sealedBy(session, { ...flow, refusal: undefined as unknown as null });
  expect(await session.readFlow(requestWith(cookie))).toEqual(flow);
});

it("reads nothing, and throws nothing, from any text and from any change to a seal", async () => {
  const session = await withSecrets(newSecret);
  const seal = await sealedBy(session, session.createFlow(link));
  const parts = seal.replace(/~2$/, "").split("*");
  const part = fc.oneof(
    fc.constantFrom("", "__proto__", "constructor", "toString", "0", "9".repeat(400)),
    fc.string({ unit: fc.constantFrom(..."AZaz09-_=.~%*") }),
  );
  const changed = fc
    .tuple(fc.nat(parts.length - 1), part)
    .map(([at, text]) => `${parts.with(at, text).join("*")}~2`)
    .filter((text) => text !== seal);
  const anyCookie = fc.oneof(fc.string(), fc.string({ unit: "grapheme-ascii" }), part, changed);
  await fc.assert(
    fc.asyncProperty(anyCookie, async (cookie) => {
      // What no header can carry does not get here.
      const text = cookie.replace(/[^\x21-\x7e]|[;,]/g, "");
      expect(await session.readFlow(requestWith(text))).toBeNull();
    }),
    { seed: 50, numRuns: 2_000 },
  );
});

it("survives a rotation of the secret, and the end of it", async () => {
  const before = await withSecrets(oldSecret);
  const flow = before.createFlow(link);
  const oldCookie = await sealedBy(before, flow);
  const during = await withSecrets(`${newSecret},${oldSecret}`);
  expect(await during.readFlow(requestWith(oldCookie))).toEqual(flow);
  const newCookie = await sealedBy(during, flow);
  const after = await withSecrets(newSecret);
  expect(await after.readFlow(requestWith(newCookie))).toEqual(flow);
  expect(await after.readFlow(requestWith(oldCookie))).toBeNull();
});

it("derives no key for each seal, and opens what was sealed when it did, also by a secret that is going", async () => {
  const session = await withSecrets(`${newSecret},${oldSecret}`);
  const flow = session.createFlow(link);
  const [, , encryptionSalt, , , , integritySalt] = (await sealedBy(session, flow)).split("*");
  expect([encryptionSalt, integritySalt]).toEqual(["", ""]);
  for (const secret of [newSecret, oldSecret]) {
    const password = { [createHash("sha256").update(secret).digest().readUInt32BE(0)]: secret };
    const earlier = await sealData(flow, { password, ttl: 3_600 });
    expect(await session.readFlow(requestWith(earlier))).toEqual(flow);
  }
});

it("ends an hour after the captcha, however often it was sealed again", async () => {
  const session = await withSecrets(newSecret);
  const flow = { ...session.createFlow(link), startedAt: Date.now() - 3_601_000 };
  expect(await session.readFlow(requestWith(await sealedBy(session, flow)))).toBeNull();
});

it("does not begin in the future, but for a little: a server's clock may be wrong", async () => {
  const session = await withSecrets(newSecret);
  const begunIn = (ms: number) =>
    sealedBy(session, { ...session.createFlow(link), startedAt: Date.now() + ms });
  expect(await session.readFlow(requestWith(await begunIn(30_000)))).not.toBeNull();
  expect(await session.readFlow(requestWith(await begunIn(86_400_000)))).toBeNull();
});

it("stays within a cookie's 4,096 bytes at its largest", async () => {
  const session = await withSecrets(newSecret);
  const longPost = { postId: "x".repeat(39), type: "reel" as const };
  const cookie = await sealedBy(session, {
    ...session.createFlow(longPost),
    post: longPost,
    visited: Array.from({ length: 10 }, () => "/private-account-error"),
    receipt: {
      reference: "XXXX-XXXX-XXXX",
      ...longPost,
      likes: 50,
      acceptedAt: new Date().toISOString(),
      nextAvailable: new Date().toISOString(),
    },
  });
  expect(cookie.length).toBeLessThan(2_500);
});
