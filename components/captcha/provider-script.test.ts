const address = "https://captcha.example.com/api.js";

/** A fresh page: the module remembers what it has loaded. */
async function freshLoader() {
  jest.resetModules();
  document.head.replaceChildren();
  return (await import("@/components/captcha/provider-script")).loadProviderScript;
}

const scripts = () => [...document.querySelectorAll("script")];

function callBack(): void {
  const name = new URL(scripts()[0]?.src ?? "").searchParams.get("onload") ?? "";
  (window as unknown as Record<string, () => void>)[name]?.();
}

afterEach(() => jest.useRealTimers());

test("the script is asked for explicit rendering, and loaded once however often it is wanted", async () => {
  const load = await freshLoader();
  const first = load(address, { hl: "en" });
  const second = load(address, { hl: "en" });
  expect(scripts()).toHaveLength(1);
  expect(scripts()[0]?.src).toMatch(
    /^https:\/\/captcha\.example\.com\/api\.js\?hl=en&render=explicit&onload=\w+$/,
  );
  callBack();
  await Promise.all([first, second]);
  await load(address);
  expect(scripts()).toHaveLength(1);
});

test("a script that fails is taken out, and the next call tries again", async () => {
  const load = await freshLoader();
  const failed = load(address);
  scripts()[0]?.dispatchEvent(new Event("error"));
  await expect(failed).rejects.toThrow("failed to load");
  expect(scripts()).toHaveLength(0);
  const again = load(address);
  callBack();
  await expect(again).resolves.toBeUndefined();
});

test("after ten seconds it is given up", async () => {
  const load = await freshLoader();
  jest.useFakeTimers();
  const late = expect(load(address)).rejects.toThrow("took too long");
  jest.advanceTimersByTime(10_000);
  await late;
  expect(scripts()).toHaveLength(0);
});
