import "server-only";
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomFillSync,
  webcrypto,
  type BinaryLike,
  type Cipher,
  type Decipher,
} from "node:crypto";

/*
 * The Web Crypto API as iron-session and the Redis client get it in builds, in place of the package `uncrypto`
 * (next.config.ts). Node works each step of that API off on another thread, which costs more than the steps of a seal: here
 * those are Node's own functions, at once, and all else is Node's Web Crypto (docs/decisions/0002-flow-in-a-sealed-cookie.md).
 */

const { subtle: node } = webcrypto;

/** Of a seal the bytes, of all else Node's. Whether a key may be taken out, and for what it is used, is up to its owner. */
type Key = Uint8Array | webcrypto.CryptoKey;

type Rest = [boolean, webcrypto.KeyUsage[]];

export const subtle = {
  digest: node.digest.bind(node),
  deriveBits: node.deriveBits.bind(node),

  /** A key as raw bytes. */
  async importKey(
    format: "raw",
    bytes: Uint8Array | ArrayBuffer,
    algorithm: webcrypto.AlgorithmIdentifier | webcrypto.HmacImportParams,
    ...rest: Rest
  ): Promise<Key> {
    return isOfSeals(algorithm, bytes)
      ? new Uint8Array(bytes)
      : node.importKey(format, bytes, algorithm, ...rest);
  },

  async encrypt(algorithm: webcrypto.AesCbcParams, key: Key, data: Uint8Array) {
    return key instanceof Uint8Array
      ? run(createCipheriv("aes-256-cbc", key, algorithm.iv as Uint8Array), data)
      : node.encrypt(algorithm, key, data);
  },

  async decrypt(algorithm: webcrypto.AesCbcParams, key: Key, data: Uint8Array) {
    return key instanceof Uint8Array
      ? run(createDecipheriv("aes-256-cbc", key, algorithm.iv as Uint8Array), data)
      : node.decrypt(algorithm, key, data);
  },

  async sign(algorithm: webcrypto.AlgorithmIdentifier, key: Key, data: BinaryLike & Uint8Array) {
    return key instanceof Uint8Array
      ? createHmac("sha256", key).update(data).digest()
      : node.sign(algorithm, key, data);
  },
};

/** Fills an array with random bytes. */
export function getRandomValues<T extends Uint8Array>(array: T): T {
  return randomFillSync(array);
}

/** AES-256-CBC and HMAC-SHA-256: what iron-session has by default. */
function isOfSeals(algorithm: object | string, { byteLength }: { byteLength: number }): boolean {
  const { name, hash } = algorithm as { name?: string; hash?: string };
  return (name === "AES-CBC" && byteLength === 32) || (name === "HMAC" && hash === "SHA-256");
}

function run(cipher: Cipher | Decipher, data: Uint8Array): Buffer {
  return Buffer.concat([cipher.update(data), cipher.final()]);
}
