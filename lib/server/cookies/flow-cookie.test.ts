import { createHash } from "node:crypto";
import fc from "fast-check";
import { sealData } from "iron-session";
import { NextRequest } from "next/server";
import type { createFlow, Flow, writeFlow } from "./flow-cookie";

const oldSecret = "o".repeat(40);
const newSecret = "n".repeat(40);

/** Sets `secrets` as SESSION_SECRET and loads flow-cookie.ts again. */
async function withSecrets(secrets: string): Promise<typeof import("./flow-cookie")> {
  process.env.SESSION_SECRET = secrets;
  process.env.VISITOR_HASH_SECRET = secrets;
  process.env.REDIS_URL = "redis://127.0.0.1:1";
  jest.resetModules();
  return import("./flow-cookie");
}

async function sealWith(flowCookie: { writeFlow: typeof writeFlow }, flow: ReturnType<typeof createFlow>) {
  const headers = new Headers();
  await flowCookie.writeFlow(headers, flow);
  const [, value = ""] = /^flow=([^;]+)/.exec(headers.getSetCookie()[0] ?? "") ?? [];
  return decodeURIComponent(value);
}

function requestWith(cookie: string): NextRequest {
  return new NextRequest("http://localhost:3000/", { headers: { cookie: `flow=${cookie}` } });
}

const link = { postId: "Cxyz123abc_", type: "post" as const };

it("reads a flow that it wrote, and returns null for a tampered cookie", async () => {
  const flowCookie = await withSecrets(newSecret);
  const flow = flowCookie.createFlow(link);
  const cookie = await sealWith(flowCookie, flow);
  expect(await flowCookie.readFlow(requestWith(cookie))).toEqual(flow);
  const tampered = cookie.replace(/.(?=.{40}$)/, (letter) => (letter === "A" ? "B" : "A"));
  expect(await flowCookie.readFlow(requestWith(tampered))).toBeNull();
});

it("reads a cookie without the fields `checked` and `refusal`, as older releases wrote it", async () => {
  const flowCookie = await withSecrets(newSecret);
  const flow = flowCookie.createFlow(link);
  // The cookie contains JSON. JSON omits fields with the value undefined.
  const older = { ...flow, checked: undefined, refusal: undefined } as unknown as Flow;
  const cookie = await sealWith(flowCookie, older);
  expect(await flowCookie.readFlow(requestWith(cookie))).toEqual(flow);
});

it("returns null and never throws for random text and for changed seals", async () => {
  const flowCookie = await withSecrets(newSecret);
  const seal = await sealWith(flowCookie, flowCookie.createFlow(link));
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
      // Removes characters that are not allowed in a Cookie header.
      const text = cookie.replace(/[^\x21-\x7e]|[;,]/g, "");
      expect(await flowCookie.readFlow(requestWith(text))).toBeNull();
    }),
    { seed: 50, numRuns: 2_000 },
  );
});

it("reads old cookies during a rotation of the secret, and rejects them afterwards", async () => {
  const before = await withSecrets(oldSecret);
  const flow = before.createFlow(link);
  const oldCookie = await sealWith(before, flow);
  const during = await withSecrets(`${newSecret},${oldSecret}`);
  expect(await during.readFlow(requestWith(oldCookie))).toEqual(flow);
  const newCookie = await sealWith(during, flow);
  const after = await withSecrets(newSecret);
  expect(await after.readFlow(requestWith(newCookie))).toEqual(flow);
  expect(await after.readFlow(requestWith(oldCookie))).toBeNull();
});

it("derives no new key for each seal, and opens seals that older releases made with any current secret", async () => {
  const flowCookie = await withSecrets(`${newSecret},${oldSecret}`);
  const flow = flowCookie.createFlow(link);
  const [, , encryptionSalt, , , , integritySalt] = (await sealWith(flowCookie, flow)).split("*");
  expect([encryptionSalt, integritySalt]).toEqual(["", ""]);
  for (const secret of [newSecret, oldSecret]) {
    const password = { [createHash("sha256").update(secret).digest().readUInt32BE(0)]: secret };
    const oldSeal = await sealData(flow, { password, ttl: 3_600 });
    expect(await flowCookie.readFlow(requestWith(oldSeal))).toEqual(flow);
  }
});

it("rejects a flow one hour after the captcha check, even in a new seal", async () => {
  const flowCookie = await withSecrets(newSecret);
  const flow = { ...flowCookie.createFlow(link), startedAt: Date.now() - 3_601_000 };
  expect(await flowCookie.readFlow(requestWith(await sealWith(flowCookie, flow)))).toBeNull();
});

it("accepts a start time 30 seconds in the future, and rejects a start time one day in the future", async () => {
  const flowCookie = await withSecrets(newSecret);
  const startingIn = (ms: number) =>
    sealWith(flowCookie, { ...flowCookie.createFlow(link), startedAt: Date.now() + ms });
  expect(await flowCookie.readFlow(requestWith(await startingIn(30_000)))).not.toBeNull();
  expect(await flowCookie.readFlow(requestWith(await startingIn(86_400_000)))).toBeNull();
});

it("keeps the largest flow below the cookie limit of 4,096 bytes", async () => {
  const flowCookie = await withSecrets(newSecret);
  const longPost = { postId: "x".repeat(39), type: "reel" as const };
  const cookie = await sealWith(flowCookie, {
    ...flowCookie.createFlow(longPost),
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
