import IORedis from "ioredis";

export interface StoredKey {
  key: string;
  /** The whole value. Its shape depends on the type of the key. */
  value: unknown;
  /** Seconds until the key expires. Infinity if the key does not expire. */
  lifeSeconds: number;
}

const readers: Record<string, (client: IORedis, key: string) => Promise<unknown>> = {
  string: (client, key) => client.get(key),
  hash: (client, key) => client.hgetall(key),
  zset: (client, key) => client.zrange(key, "0", "-1", "WITHSCORES"),
  list: (client, key) => client.lrange(key, 0, -1),
};

/** Reads every key of a database. Throws an error for another type. */
export async function readRedis(url: string): Promise<StoredKey[]> {
  const client = new IORedis(url);
  const readKey = async (key: string): Promise<StoredKey> => {
    const value = await readers[await client.type(key)]!(client, key);
    const milliseconds = await client.pttl(key);
    return { key, value, lifeSeconds: milliseconds < 0 ? Infinity : milliseconds / 1_000 };
  };
  try {
    return await Promise.all((await client.keys("*")).map(readKey));
  } finally {
    client.disconnect();
  }
}
