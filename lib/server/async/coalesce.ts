import "server-only";

/** Returns a function that runs `work` once for all calls of one event-loop turn. Caches nothing. */
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
