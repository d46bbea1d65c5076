declare global {
  interface Window {
    /** Analytics events. If the visitor agrees, the tag manager loads and reads them. */
    dataLayer?: object[];
  }
}

/** Adds an event to `dataLayer`. Without the visitor's consent, the event never leaves the browser. */
export function track(event: string, params: Record<string, string | number | boolean> = {}): void {
  (window.dataLayer ??= []).push({ event, ...params });
}
