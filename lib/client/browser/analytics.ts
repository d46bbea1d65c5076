declare global {
  interface Window {
    /** Analytics events. The page loads Google Tag Manager, which reads the events, only with consent. */
    dataLayer?: object[];
  }
}

/** Adds an event to `dataLayer`. Without the visitor's consent, the event never leaves the browser. */
export function track(event: string, params: Record<string, string | number | boolean> = {}): void {
  (window.dataLayer ??= []).push({ event, ...params });
}
