/** Maximum loading time of the script. Ten seconds are enough for a slow mobile connection. */
const timeoutMs = 10_000;
/**
 * The provider's script calls the global function with this name when the script is ready. One name is enough,
 * because a page loads only one provider.
 */
const callbackName = "onCaptchaScriptLoad";

const loads = new Map<string, Promise<void>>();

/** Loads a captcha script once per page. Rejects after an error or 10 s. The next call then loads it again. */
export function loadProviderScript(url: string, parameters: Record<string, string> = {}): Promise<void> {
  const existing = loads.get(url);
  if (existing) return existing;
  const load = insertScript(
    `${url}?${new URLSearchParams({ ...parameters, render: "explicit", onload: callbackName })}`,
  );
  loads.set(url, load);
  load.catch(() => loads.delete(url));
  return load;
}

function insertScript(source: string): Promise<void> {
  const script = document.createElement("script");
  return new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => {
      script.remove();
      reject(new Error(`The captcha script ${reason}`));
    };
    const timer = setTimeout(() => fail("took too long"), timeoutMs);
    Object.assign(window, {
      [callbackName]() {
        clearTimeout(timer);
        resolve();
      },
    });
    script.addEventListener("error", () => {
      clearTimeout(timer);
      fail("failed to load");
    });
    script.async = true;
    script.src = source;
    document.head.append(script);
  });
}
