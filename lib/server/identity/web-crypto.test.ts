import { webcrypto } from "node:crypto";
import fc from "fast-check";
import type * as ironSession from "iron-session";
import * as replacement from "./web-crypto";

/** Loads iron-session with `crypto` instead of the package `uncrypto`. A build replaces this package, too. */
function loadIronSession(crypto: object): typeof ironSession {
  jest.resetModules();
  jest.doMock("uncrypto", () => crypto);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would come before the mock
  return require("iron-session") as typeof ironSession;
}

const withReplacement = loadIronSession(replacement);
const withNode = loadIronSession({
  subtle: webcrypto.subtle,
  getRandomValues: webcrypto.getRandomValues.bind(webcrypto),
});
/** A text password and a byte key. iron-webcrypto derives keys only from the text password. */
const passwords: Record<string, string>[] = [
  { 1: "s".repeat(40) },
  { 7: new Uint8Array(32).fill(9) as unknown as string },
];

it.each([
  ["opens a seal of this module with Node's Web Crypto", withReplacement, withNode],
  ["opens a seal of Node's Web Crypto with this module", withNode, withReplacement],
])("%s", async (_, sealer, unsealer) => {
  for (const password of passwords) {
    const seal = await sealer.sealData({ id: "ä€" }, { password, ttl: 60 });
    expect(await unsealer.unsealData(seal, { password, ttl: 60 })).toEqual({ id: "ä€" });
  }
});

// If iron-session no longer used uncrypto, seals would become slower, and only this test would fail.
it("replaces uncrypto in iron-session", async () => {
  const encrypt = () => Promise.reject(new Error("replaced encrypt"));
  const { sealData } = loadIronSession({ ...replacement, subtle: { ...replacement.subtle, encrypt } });
  await expect(sealData({}, { password: passwords[0] ?? "", ttl: 60 })).rejects.toThrow("replaced encrypt");
});

const bytes = (length: { minLength?: number; maxLength?: number }) => fc.uint8Array(length);
const exactly = (length: number) => bytes({ minLength: length, maxLength: length });
const hmacKey = bytes({ minLength: 1, maxLength: 99 });

it.each([
  ["AES-CBC, 256 bits", { name: "AES-CBC" }, exactly(32), ["encrypt", "decrypt"]],
  ["AES-CBC, 128 bits", { name: "AES-CBC" }, exactly(16), ["encrypt", "decrypt"]],
  ["HMAC, SHA-256", { name: "HMAC", hash: "SHA-256" }, hmacKey, ["sign"]],
  ["HMAC, SHA-512", { name: "HMAC", hash: "SHA-512" }, hmacKey, ["sign"]],
] as const)("matches Node's Web Crypto for random bytes: %s", async (_, algorithm, keyBytes, usages) => {
  await fc.assert(
    fc.asyncProperty(keyBytes, exactly(16), bytes({ maxLength: 700 }), async (key, iv, data) => {
      const results = await Promise.all(
        [replacement.subtle, webcrypto.subtle as unknown as typeof replacement.subtle].map(async (subtle) => {
          const imported = await subtle.importKey("raw", key, algorithm, false, [...usages]);
          const cbc = { name: "AES-CBC", iv };
          if (algorithm.name === "HMAC") return [await subtle.sign(algorithm, imported, data)];
          const encrypted = new Uint8Array(await subtle.encrypt(cbc, imported, data));
          // `decrypt` usually throws for random bytes, because their padding is invalid.
          const invalid = await subtle.decrypt(cbc, imported, data).catch(() => new Uint8Array());
          return [encrypted, await subtle.decrypt(cbc, imported, encrypted), invalid];
        }),
      );
      const [actual, expected] = results.map((all) =>
        all.map((result) => Buffer.from(new Uint8Array(result)).toString("hex")),
      );
      expect(actual).toEqual(expected);
    }),
    { seed: 50, numRuns: 150 },
  );
});
