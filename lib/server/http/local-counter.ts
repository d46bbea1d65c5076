import "server-only";

/** Room for so many names in a window, some 15 MB. */
const mostNames = 100_000;

/**
 * Gives a function that counts how often it was called with a name within the current window, in this process alone; the
 * names are forgotten with the window. When it has no room for another name, it says Infinity of it.
 *
 * @param now milliseconds since 1970; a parameter for tests
 */
export function createLocalCounter(
  windowSeconds: number,
  { most = mostNames, now = Date.now }: { most?: number; now?: () => number } = {},
): (name: string) => number {
  const counts = new Map<string, number>();
  let current = -1;
  return (name) => {
    const window = Math.floor(now() / (windowSeconds * 1_000));
    if (window !== current) counts.clear();
    current = window;
    const count = (counts.get(name) ?? 0) + 1;
    if (count === 1 && counts.size >= most) return Infinity;
    counts.set(name, count);
    return count;
  };
}
