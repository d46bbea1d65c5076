declare global {
  interface Window {
    /** Analytics events. Google Tag Manager reads them. The page loads Tag Manager only with consent. */
    dataLayer?: object[];
  }
}

/** Adds an event to `dataLayer`. Without the visitor's consent, the event never leaves the browser. */
export function track(event: string, params: Record<string, string | number | boolean> = {}): void {
  (window.dataLayer ??= []).push({ event, ...params });
}
