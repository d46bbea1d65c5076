const timeoutMs = 1_500;
const fingerprintPattern = /^[A-Za-z0-9_-]{1,64}$/;

let cached: Promise<string | null> | undefined;

/** Returns the browser's fingerprint, calculated once per page. Returns null after an error or 1.5 s. */
export function getFingerprint(): Promise<string | null> {
  return (cached ??= Promise.race([
    compute(),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), timeoutMs)),
  ]));
}

async function compute(): Promise<string | null> {
  try {
    const { load } = await import("@fingerprintjs/fingerprintjs");
    // With `monitoring: true`, the library sends a request to its vendor.
    const agent = await load({ monitoring: false });
    const { visitorId } = await agent.get();
    return fingerprintPattern.test(visitorId) ? visitorId : null;
  } catch {
    return null;
  }
}
