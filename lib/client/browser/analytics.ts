declare global {
  interface Window {
    /** Events of the page. The tag manager reads them after the visitor's consent. */
    dataLayer?: object[];
  }
}

/** Adds an event to `dataLayer`. Without consent no tag manager loads, and the event stays in the page. */
export function track(event: string, params: Record<string, string | number | boolean> = {}): void {
  (window.dataLayer ??= []).push({ event, ...params });
}
