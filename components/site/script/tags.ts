/**
 * Creates a command of Google Consent Mode v2, with the visitor's consent:
 * https://developers.google.com/tag-platform/security/guides/consent
 */
export function consentCommand(action: "default" | "update", analytics: boolean, advertising: boolean) {
  const state = (granted: boolean) => (granted ? "granted" : "denied");
  return command("consent", action, {
    analytics_storage: state(analytics),
    ad_storage: state(advertising),
    ad_user_data: state(advertising),
    ad_personalization: state(advertising),
  });
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

/** Loads Google Tag Manager: https://developers.google.com/tag-platform/tag-manager/datalayer#installation */
export function loadTagManager(containerId: string): void {
  dataLayer().push({ "gtm.start": Date.now(), event: "gtm.js" });
  appendScript(`https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(containerId)}`);
}

/** Loads AdSense for every ad slot of the page: https://support.google.com/adsense/answer/9274516 */
export function loadAds(client: string): void {
  const slots = document.querySelectorAll<HTMLElement>("[data-ad-unit]");
  if (slots.length === 0) return;
  for (const slot of slots) {
    slot.hidden = false;
    const ad = document.createElement("ins");
    ad.className = "adsbygoogle";
    ad.dataset.adClient = client;
    ad.dataset.adSlot = slot.dataset.adUnit;
    Object.assign(ad.style, { display: "inline-block", width: "336px", height: "280px" });
    slot.lastElementChild?.replaceChildren(ad);
    (window.adsbygoogle ??= []).push({});
  }
  const url = `https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=${encodeURIComponent(client)}`;
  const script = appendScript(url);
  script.crossOrigin = "anonymous";
  // For example, an ad blocker has stopped the request.
  script.onerror = hideAds;
}

/** Removes the ad slots from the layout. */
export function hideAds(): void {
  for (const slot of document.querySelectorAll<HTMLElement>("[data-ad-unit]")) slot.hidden = true;
}

function appendScript(source: string): HTMLScriptElement {
  const script = document.createElement("script");
  script.async = true;
  script.src = source;
  document.head.append(script);
  return script;
}

declare global {
  interface Window {
    adsbygoogle?: object[];
  }
}
