/** Returns true for a loopback host such as "localhost". Browsers treat http on a loopback host as secure. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
