/* Google Consent Mode v2: https://developers.google.com/tag-platform/security/guides/consent */

export interface Consent {
  analytics: boolean;
  advertising: boolean;
}

/** Adds the command "deny everything by default" as the first entry of the data layer. */
export function denyByDefault(): void {
  dataLayer().unshift(command("consent", "default", signals({ analytics: false, advertising: false })));
}

/** Adds a command with the visitor's consent to the data layer. */
export function updateConsent(consent: Consent): void {
  dataLayer().push(command("consent", "update", signals(consent)));
}

function signals({ analytics, advertising }: Consent): Record<string, "granted" | "denied"> {
  const state = (granted: boolean) => (granted ? "granted" : "denied");
  return {
    analytics_storage: state(analytics),
    ad_storage: state(advertising),
    ad_user_data: state(advertising),
    ad_personalization: state(advertising),
  };
}

/** Returns the data layer: an array of commands and events that Google Tag Manager reads. */
export function dataLayer(): object[] {
  return (window.dataLayer ??= []);
}

/** Creates a data layer command. Google tags require an `arguments` object and ignore arrays. */
const command: (...args: unknown[]) => IArguments = function () {
  // eslint-disable-next-line prefer-rest-params
  return arguments;
};
