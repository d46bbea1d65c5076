/** Waits until something holds; fails when it does not in time. */
export async function until(what: string, condition: () => Promise<boolean> | boolean, timeoutMs = 30_000) {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`it did not happen in ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
