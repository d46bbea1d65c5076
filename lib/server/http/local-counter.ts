import "server-only";

/** Maximum number of stored names. 100,000 names need about 15 MB of memory. */
const defaultMaxNames = 100_000;

/**
 * Creates a counter for each name. The returned function adds 1 to the counter of `name`, and returns the
 * count in the current time window. If `maxNames` names are stored, it returns Infinity for a new name.
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
