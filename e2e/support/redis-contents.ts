import IORedis from "ioredis";

export interface StoredKey {
  key: string;
  /** Everything that the key holds, in the form of its type. */
  value: unknown;
  /** Seconds until it is gone; Infinity for a key that stays. */
  lifeSeconds: number;
}

/** Every key of a database with its value and its life. Fails for a value of a type that it cannot read. */
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
      throw new Error(`a key of another type: ${type}`);
  }
}
