/** Nobody waits longer than this for it: the server manages without. */
const patienceMs = 1_500;
const shape = /^[A-Za-z0-9_-]{1,64}$/;

let remembered: Promise<string | null> | undefined;

/**
 * The browser's fingerprint, or null when there is none in time. The same answer for the whole page view, so that
 * all calls of a page come from the same visitor. The library loads on the first call only.
 */
export function getFingerprint(): Promise<string | null> {
  return (remembered ??= Promise.race([compute(), giveUp()]));
}

async function compute(): Promise<string | null> {
  try {
    const { load } = await import("@fingerprintjs/fingerprintjs");
    // `monitoring` would call the maker's server.
    const agent = await load({ monitoring: false });
    const { visitorId } = await agent.get();
    return shape.test(visitorId) ? visitorId : null;
  } catch {
    return null;
  }
}

function giveUp(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), patienceMs));
}
