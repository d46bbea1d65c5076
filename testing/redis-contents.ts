import IORedis from "ioredis";

export interface StoredKey {
  key: string;
  /** The whole value. Its shape depends on the type of the key. */
  value: unknown;
  /** Seconds until the key expires. Infinity if the key does not expire. */
  lifeSeconds: number;
}

/** Reads every key of a database. Throws an error for an unsupported type. */
export async function readRedis(url: string): Promise<StoredKey[]> {
  const client = new IORedis(url);
  try {
    const keys = await client.keys("*");
    return await Promise.all(keys.map((key) => readKey(client, key)));
  } finally {
    client.disconnect();
  }
}

async function readKey(client: IORedis, key: string): Promise<StoredKey> {
  const value = await readValue(client, key);
  const milliseconds = await client.pttl(key);
  return { key, value, lifeSeconds: milliseconds < 0 ? Infinity : milliseconds / 1_000 };
}

async function readValue(client: IORedis, key: string): Promise<unknown> {
  const type = await client.type(key);
  switch (type) {
    case "string":
      return client.get(key);
    case "hash":
      return client.hgetall(key);
    case "zset":
      return client.zrange(key, "0", "-1", "WITHSCORES");
    case "set":
      return client.smembers(key);
    case "list":
      return client.lrange(key, 0, -1);
    default:
      throw new Error(`unsupported type of a Redis key: ${type}`);
  }
}
