declare global {
  interface Window {
    /** The events of this page, which a tag manager reads once the visitor has agreed to it and it has loaded. */
    dataLayer?: object[];
  }
}

/** Records an event of this page. Without consent and a tag manager nobody reads it. */
export function track(event: string, params: Record<string, string | number | boolean> = {}): void {
  (window.dataLayer ??= []).push({ event, ...params });
}
