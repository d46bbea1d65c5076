/** Longer than a slow phone's line needs; then the visitor is told to refresh. */
const timeLimitMs = 10_000;
/** The name under which a provider's script calls back; a page has one provider. */
const callbackName = "onCaptchaScriptLoad";

const loads = new Map<string, Promise<void>>();

/**
 * Loads a provider's script, once per page, and waits until its functions can be called. Takes the script's address
 * without parameters, and parameters of the provider's own. Rejects when it fails or takes more than ten seconds; the
 * next call then tries again.
 */
export function loadProviderScript(address: string, parameters: Record<string, string> = {}): Promise<void> {
  const known = loads.get(address);
  if (known) return known;
  const load = start(
    `${address}?${new URLSearchParams({ ...parameters, render: "explicit", onload: callbackName })}`,
  );
  loads.set(address, load);
  load.catch(() => loads.delete(address));
  return load;
}

function start(source: string): Promise<void> {
  const script = document.createElement("script");
  return new Promise<void>((resolve, reject) => {
    const giveUp = (reason: string) => {
      script.remove();
      reject(new Error(`The script of the human check ${reason}`));
    };
    const timer = setTimeout(() => giveUp("took too long"), timeLimitMs);
    Object.assign(window, {
      [callbackName]() {
        clearTimeout(timer);
        resolve();
      },
    });
    script.addEventListener("error", () => {
      clearTimeout(timer);
      giveUp("failed to load");
    });
    script.async = true;
    script.src = source;
    document.head.append(script);
  });
}
