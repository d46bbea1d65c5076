import "server-only";

/**
 * Has all who ask in one turn of the event loop share one piece of work. It begins after the last of them has asked, so
 * that its answer is as new for each as that of a question of his own: nothing is kept.
 */
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
