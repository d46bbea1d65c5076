/*
 * Google's Consent Mode, version 2: what tags may store and send, told to them through the data layer before any of
 * them loads. https://developers.google.com/tag-platform/security/guides/consent
 */

/** What the visitor agreed to. */
export interface Consent {
  analytics: boolean;
  advertising: boolean;
}

/** Puts "everything denied" in front of all that the page has recorded so far. */
export function denyByDefault(): void {
  dataLayer().unshift(command("consent", "default", signals({ analytics: false, advertising: false })));
}

/** Tells tags what the visitor agreed to. */
export function updateConsent(consent: Consent): void {
  dataLayer().push(command("consent", "update", signals(consent)));
}

function signals({ analytics, advertising }: Consent): Record<string, "granted" | "denied"> {
  const word = (granted: boolean) => (granted ? "granted" : "denied");
  return {
    analytics_storage: word(analytics),
    ad_storage: word(advertising),
    ad_user_data: word(advertising),
    ad_personalization: word(advertising),
  };
}

/** The queue that a tag manager reads once it loads. */
export function dataLayer(): object[] {
  return (window.dataLayer ??= []);
}

/** Tags understand a command only as the `arguments` of a function, not as an array. */
const command: (...words: unknown[]) => IArguments = function () {
  // eslint-disable-next-line prefer-rest-params
  return arguments;
};
