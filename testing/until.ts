/** Waits until a condition holds. Throws after the timeout, with the description of the condition. */
export async function until(
  description: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 30_000,
) {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not true within ${timeoutMs} ms: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
