import "server-only";

/** Maximum number of stored names. This many names need about 15 MB of memory. */
const defaultMaxNames = 100_000;

/**
 * Returns a function that counts its calls per name and time window, and returns the count. When `maxNames`
 * names are stored, the function returns Infinity for every new name.
 */
export function createLocalCounter(
  windowSeconds: number,
  { maxNames = defaultMaxNames, now = Date.now }: { maxNames?: number; now?: () => number } = {},
): (name: string) => number {
  const counts = new Map<string, number>();
  let current = -1;
  return (name) => {
    const window = Math.floor(now() / (windowSeconds * 1_000));
    if (window !== current) counts.clear();
    current = window;
    const count = (counts.get(name) ?? 0) + 1;
    if (count === 1 && counts.size >= maxNames) return Infinity;
    counts.set(name, count);
    return count;
  };
}
