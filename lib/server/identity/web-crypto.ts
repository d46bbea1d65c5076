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
 * The build replaces the package `uncrypto` with this file, because Node's Web Crypto runs each step on
 * another thread and is slow for small seals. See docs/decisions/0022-derived-keys-for-the-flow-cookie.md.
 */

const { subtle: node } = webcrypto;

/** The two algorithms of seals use keys of raw bytes. All other algorithms use a CryptoKey. */
type Key = Uint8Array | webcrypto.CryptoKey;

type KeyOptions = [boolean, webcrypto.KeyUsage[]];

/** The functions of `crypto.subtle` that iron-session calls. */
export const subtle = {
  digest: node.digest.bind(node),
  deriveBits: node.deriveBits.bind(node),

  async importKey(
    format: "raw",
    bytes: Uint8Array | ArrayBuffer,
    algorithm: webcrypto.AlgorithmIdentifier | webcrypto.HmacImportParams,
    ...options: KeyOptions
  ): Promise<Key> {
    return isSealAlgorithm(algorithm, bytes)
      ? new Uint8Array(bytes)
      : node.importKey(format, bytes, algorithm, ...options);
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

/** Returns true for AES-256-CBC and HMAC-SHA-256, the two algorithms of seals. */
function isSealAlgorithm(algorithm: object | string, { byteLength }: { byteLength: number }): boolean {
  const { name, hash } = algorithm as { name?: string; hash?: string };
  return (name === "AES-CBC" && byteLength === 32) || (name === "HMAC" && hash === "SHA-256");
}

function run(cipher: Cipher | Decipher, data: Uint8Array): Buffer {
  return Buffer.concat([cipher.update(data), cipher.final()]);
}
