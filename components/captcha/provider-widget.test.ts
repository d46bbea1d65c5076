const address = "https://captcha.example.com/api.js?hl=en";

/** Empties the head and imports the module again, because it keeps the state of the script. */
async function freshLoader() {
  jest.resetModules();
  document.head.replaceChildren();
  return (await import("@/components/captcha/provider-widget")).loadProviderScript;
}

const scripts = () => [...document.querySelectorAll("script")];

function invokeOnload(): void {
  const name = new URL(scripts()[0]?.src ?? "").searchParams.get("onload") ?? "";
  (window as unknown as Record<string, () => void>)[name]?.();
}

afterEach(() => jest.useRealTimers());

/* e2e/flow/captcha-providers.browser.test.ts loads the script in a browser. */
test("removes a failed script, and loads it once with explicit rendering at the next calls", async () => {
  const load = await freshLoader();
  const failed = load(address);
  scripts()[0]?.dispatchEvent(new Event("error"));
  await expect(failed).rejects.toThrow("failed to load");
  expect(scripts()).toHaveLength(0);
  const again = [load(address), load(address)];
  const url = /^https:\/\/captcha\.example\.com\/api\.js\?hl=en&render=explicit&onload=\w+$/;
  expect(scripts().map(({ src }) => src)).toEqual([expect.stringMatching(url)]);
  invokeOnload();
  await Promise.all([...again, load(address)]);
  expect(scripts()).toHaveLength(1);
});

test("rejects after ten seconds", async () => {
  const load = await freshLoader();
  jest.useFakeTimers();
  const late = expect(load(address)).rejects.toThrow("took too long");
  jest.advanceTimersByTime(10_000);
  await late;
  expect(scripts()).toHaveLength(0);
});
