import { webcrypto } from "node:crypto";
import fc from "fast-check";
import type * as ironSession from "iron-session";
import * as own from "./web-crypto";

/** iron-session, as a build has it with this Web Crypto API. */
function sealsWith(crypto: object): typeof ironSession {
  jest.resetModules();
  jest.doMock("uncrypto", () => crypto);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would come before the mock
  return require("iron-session") as typeof ironSession;
}

const here = sealsWith(own);
const elsewhere = sealsWith({
  subtle: webcrypto.subtle,
  getRandomValues: webcrypto.getRandomValues.bind(webcrypto),
});
/** As text, from which the engine derives keys, and as bytes. */
const passwords: Record<string, string>[] = [
  { 1: "s".repeat(40) },
  { 7: new Uint8Array(32).fill(9) as unknown as string },
];

it.each([
  ["here opens elsewhere", here, elsewhere],
  ["elsewhere opens here", elsewhere, here],
])("what was sealed %s", async (_, one, other) => {
  for (const password of passwords) {
    const seal = await one.sealData({ id: "ä€" }, { password, ttl: 60 });
    expect(await other.unsealData(seal, { password, ttl: 60 })).toEqual({ id: "ä€" });
  }
});

// Otherwise seals would go over threads again, and nobody would notice.
it("is what iron-session seals with where it takes the place of uncrypto", async () => {
  const encrypt = () => Promise.reject(new Error("asked here"));
  const { sealData } = sealsWith({ ...own, subtle: { ...own.subtle, encrypt } });
  await expect(sealData({}, { password: passwords[0] ?? "", ttl: 60 })).rejects.toThrow("asked here");
});

const bytes = (length: { minLength?: number; maxLength?: number }) => fc.uint8Array(length);
const exactly = (length: number) => bytes({ minLength: length, maxLength: length });
const hmacKey = bytes({ minLength: 1, maxLength: 99 });
const kinds = [
  {
    what: "256 bits, AES-CBC",
    algorithm: { name: "AES-CBC" },
    keyBytes: exactly(32),
    usages: ["encrypt", "decrypt"],
  },
  {
    what: "128 bits, AES-CBC",
    algorithm: { name: "AES-CBC" },
    keyBytes: exactly(16),
    usages: ["encrypt", "decrypt"],
  },
  {
    what: "HMAC, SHA-256",
    algorithm: { name: "HMAC", hash: "SHA-256" },
    keyBytes: hmacKey,
    usages: ["sign"],
  },
  {
    what: "HMAC, SHA-512",
    algorithm: { name: "HMAC", hash: "SHA-512" },
    keyBytes: hmacKey,
    usages: ["sign"],
  },
] as const;

it.each(kinds)("does with any bytes what Node's Web Crypto does: $what", async (kind) => {
  const { keyBytes, usages, algorithm } = kind;
  await fc.assert(
    fc.asyncProperty(keyBytes, exactly(16), bytes({ maxLength: 700 }), async (key, iv, data) => {
      const results = await Promise.all(
        [own.subtle, webcrypto.subtle as unknown as typeof own.subtle].map(async (subtle) => {
          const imported = await subtle.importKey("raw", key, algorithm, false, [...usages]);
          const cbc = { name: "AES-CBC", iv };
          if (algorithm.name === "HMAC") return [await subtle.sign(algorithm, imported, data)];
          const encrypted = new Uint8Array(await subtle.encrypt(cbc, imported, data));
          // Bytes that nobody encrypted rarely end as they must.
          const broken = await subtle.decrypt(cbc, imported, data).catch(() => new Uint8Array());
          return [encrypted, await subtle.decrypt(cbc, imported, encrypted), broken];
        }),
      );
      const [mine, nodes] = results.map((all) =>
        all.map((result) => Buffer.from(new Uint8Array(result)).toString("hex")),
      );
      expect(mine).toEqual(nodes);
    }),
    { seed: 50, numRuns: 150 },
  );
});
