export interface RedisAddress {
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
  database: number;
}

const defaultRedisPort = 6_379;
export const defaultSentinelPort = 26_379;

/**
 * Parses `redis://user:password@host:port/database`, `rediss://` (TLS) or `host:port`. User and password must
 * be percent-encoded. If the address is invalid, returns an error message without the password.
 */
export function tryParseRedisAddress(text: string, defaultPort = defaultRedisPort): RedisAddress | string {
  const address = text.includes("://") ? text : `redis://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === "")
    return "must be a redis:// or rediss:// address";
  if (url.search !== "" || url.hash !== "")
    return "must not have parameters behind ? or #: TLS is rediss://, and a private authority stands in NODE_EXTRA_CA_CERTS";
  if (!/^\/?\d*$/.test(url.pathname))
    return "must end with the number of a database, as in redis://localhost:6379/1, or with nothing";
  if (url.username !== "" && url.password === "") return "names a user without a password";
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? defaultPort : Number(url.port),
      tls: url.protocol === "rediss:",
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      database: Number(url.pathname.slice(1)),
    };
  } catch {
    return "must have the special characters of user and password as %25, %40 and so on";
  }
}

/** Parses the address of a Redis server. Throws an Error if the address is invalid. */
export function parseRedisAddress(text: string, defaultPort?: number): RedisAddress {
  const address = tryParseRedisAddress(text, defaultPort);
  if (typeof address === "string") throw new Error(`an address of Redis ${address}`);
  return address;
}
