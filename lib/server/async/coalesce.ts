import "server-only";

/** Returns a function that runs `work` once for all calls in the same event-loop turn. Caches no results. */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  return () =>
    (shared ??= new Promise((resolve) => {
      setImmediate(() => {
        shared = undefined;
        resolve(work());
      });
    }));
}
