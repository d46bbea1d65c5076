import { dataLayer } from "@/components/site/script/consent-mode";

/** Loads Google Tag Manager. https://developers.google.com/tag-platform/tag-manager/datalayer#installation */
export function loadTagManager(containerId: string): void {
  dataLayer().push({ "gtm.start": Date.now(), event: "gtm.js" });
  appendScript(`https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(containerId)}`);
}

/** Loads AdSense, and asks it to fill every slot that has a unit. https://support.google.com/adsense/answer/9274516 */
export function loadAds(client: string): void {
  const slots = document.querySelectorAll<HTMLElement>("[data-ad-unit]");
  if (slots.length === 0) return;
  for (const slot of slots) {
    const unit = document.createElement("ins");
    unit.className = "adsbygoogle";
    unit.dataset.adClient = client;
    unit.dataset.adSlot = slot.dataset.adUnit;
    Object.assign(unit.style, { display: "inline-block", width: "336px", height: "280px" });
    slot.replaceChildren(unit);
    (window.adsbygoogle ??= []).push({});
  }
  const address = `https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=${encodeURIComponent(client)}`;
  appendScript(address).crossOrigin = "anonymous";
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
    /** AdSense's queue of slots to fill. */
    adsbygoogle?: object[];
  }
}
