declare global {
  interface Window {
    /** There once the visitor has consented and the tag manager has loaded. */
    dataLayer?: object[];
  }
}

/** Records an event for the tag manager; does nothing without one. */
export function track(event: string, params: Record<string, string | number | boolean> = {}): void {
  window.dataLayer?.push({ event, ...params });
}
