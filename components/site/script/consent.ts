/*
 * Shows the consent dialog, and loads Google Tag Manager and ads after consent. Pages load this script only
 * if tags or ads are configured. The script element has the configuration in data attributes.
 */
import "vanilla-cookieconsent/dist/cookieconsent.css";
import "./consent.css";
import { acceptedCategory, run, type Translation } from "vanilla-cookieconsent";
import { consentCommand, dataLayer, hideAds, loadAds, loadTagManager } from "@/components/site/script/tags";
import { consentCookie } from "@/lib/config/limits";
import { findPage, pages } from "@/lib/http/pages";

const { gtmId, adsClient } = document.currentScript?.dataset ?? {};
const loadedTags = new Set<string>();

// Everything is denied by default. This must be the first entry of the data layer.
dataLayer().unshift(consentCommand("default", false, false));
// An earlier choice stands in the data layer before the event, so that tags know it when they read the event.
void start().then(() => {
  dataLayer().push({ event: "page_view", page_path: pagePath(), page_title: document.title });
});

/** Applies an earlier choice, or shows the dialog. */
function start(): Promise<void> {
  return run({
    cookie: {
      name: consentCookie.name,
      expiresAfterDays: consentCookie.days,
      secure: location.protocol === "https:",
      sameSite: "Lax",
    },
    // The default `true` hides the dialog from automated browsers, so the end-to-end tests need false.
    hideFromBots: false,
    guiOptions: {
      consentModal: { layout: "box", position: "bottom left", equalWeightButtons: true },
      preferencesModal: { layout: "box", equalWeightButtons: true },
    },
    categories: {
      necessary: { enabled: true, readOnly: true },
      // A loaded tag cannot be removed, so the library reloads the page after the visitor withdraws consent.
      ...(gtmId && { analytics: { autoClear: { cookies: [{ name: /^_g/ }], reloadPage: true } } }),
      ...(adsClient && { advertising: { autoClear: { cookies: [{ name: /^__g/ }], reloadPage: true } } }),
    },
    language: { default: "en", translations: { en: translation() } },
    onConsent: applyConsent,
    onChange: applyConsent,
    onModalReady: ({ modalName, modal }) => {
      if (modalName === "preferencesModal") expandSections(modal);
      else makeRegion(modal);
    },
  });
}

/** Loads the tags that the visitor accepted. Runs after each choice and on all later page views. */
function applyConsent(): void {
  const analytics = acceptedCategory("analytics");
  const advertising = acceptedCategory("advertising");
  dataLayer().push(consentCommand("update", analytics, advertising));
  if (gtmId && analytics) runOnce("tag manager", () => loadTagManager(gtmId));
  if (adsClient && advertising) runOnce("ads", () => afterLoad(() => loadAds(adsClient)));
  if (!advertising) hideAds();
}

/** Makes the first question a region at the edge, not a modal dialog: the page stays usable, and Tab leaves the region. */
function makeRegion(question: HTMLElement): void {
  question.setAttribute("role", "region");
  question.removeAttribute("aria-modal");
  // The library focuses this element, although the visitor may be typing.
  question.querySelector('[tabindex="-1"]')?.removeAttribute("tabindex");
  // The library's listener, on the parent element, keeps Tab inside.
  question.addEventListener("keydown", (event) => {
    if (event.key === "Tab") event.stopPropagation();
  });
}

/** Expands the descriptions in the cookie settings, and links each switch to its description. */
function expandSections(settings: HTMLElement): void {
  for (const title of settings.querySelectorAll<HTMLElement>(".pm__section-title[aria-expanded]")) {
    title.click();
    const box = title.parentElement?.querySelector("input");
    box?.setAttribute("aria-describedby", title.getAttribute("aria-controls") ?? "");
  }
}

function runOnce(name: string, action: () => void): void {
  if (loadedTags.has(name)) return;
  loadedTags.add(name);
  action();
}

/** Runs an action after the load event, because React cannot hydrate ad slots that already contain an ad. */
function afterLoad(action: () => void): void {
  const schedule = () => setTimeout(action, 0);
  if (document.readyState === "complete") schedule();
  else window.addEventListener("load", schedule, { once: true });
}

/** Returns the path for the statistics. For previews, returns "/preview" without the post id. */
function pagePath(): string {
  return findPage(location.pathname) === pages.preview ? pages.preview.path : location.pathname;
}

function translation(): Translation {
  const purposes = [gtmId && "statistics", adsClient && "advertising"].filter(Boolean).join(" and ");
  return {
    consentModal: {
      title: "Your choice about cookies",
      description:
        `We load ${purposes} only if you agree. ` +
        `<a href="${pages.privacy.path}">${pages.privacy.label}</a>`,
      acceptAllBtn: "Accept all",
      acceptNecessaryBtn: "Reject all",
      showPreferencesBtn: "Choose",
    },
    preferencesModal: {
      title: "Cookie settings",
      acceptAllBtn: "Accept all",
      acceptNecessaryBtn: "Reject all",
      savePreferencesBtn: "Save my choice",
      closeIconLabel: "Close",
      sections: [
        { description: "The tool works the same, whatever you choose." },
        {
          title: "Necessary",
          description:
            "The cookies that the tool needs, and one that remembers this choice. They are always on.",
          linkedCategory: "necessary",
        },
        gtmId && {
          title: "Statistics",
          description: "Show us which pages are opened and where people get stuck.",
          linkedCategory: "analytics",
        },
        adsClient && {
          title: "Advertising",
          description: "Lets the advertising network show ads here, and choose them by what it knows of you.",
          linkedCategory: "advertising",
        },
      ].filter((section) => typeof section === "object"),
    },
  };
}
