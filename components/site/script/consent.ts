/*
 * Consent, tags and ads. Only builds with something that needs consent carry this script; the data attributes of its
 * element say what. Nothing of a third party loads before the visitor has agreed to it.
 */
import "vanilla-cookieconsent/dist/cookieconsent.css";
import "./consent.css";
import { acceptedCategory, run, type Translation } from "vanilla-cookieconsent";
import { dataLayer, denyByDefault, updateConsent } from "@/components/site/script/consent-mode";
import { loadAds, loadTagManager } from "@/components/site/script/tags";
import { consentCookie } from "@/lib/config/limits";
import { findPage, pages } from "@/lib/http/routes";

const { gtmId, adsClient, styleSheet } = document.currentScript?.dataset ?? {};
const loaded = new Set<string>();

denyByDefault();
dataLayer().push({ event: "page_view", page_path: pagePath(), page_title: document.title });
appendStyleSheet();
void run({
  cookie: {
    name: consentCookie.name,
    expiresAfterDays: consentCookie.days,
    secure: location.protocol === "https:",
    sameSite: "Lax",
  },
  // The library would not ask the end-to-end tests, whose browser calls itself a robot.
  hideFromBots: false,
  guiOptions: {
    consentModal: { layout: "box", position: "bottom left", equalWeightButtons: true },
    preferencesModal: { layout: "box", equalWeightButtons: true },
  },
  categories: {
    necessary: { enabled: true, readOnly: true },
    // A loaded tag cannot be unloaded: withdrawing reloads the page.
    ...(gtmId && { analytics: { autoClear: { cookies: [{ name: /^_g/ }], reloadPage: true } } }),
    ...(adsClient && { advertising: { autoClear: { cookies: [{ name: /^__g/ }], reloadPage: true } } }),
  },
  language: { default: "en", translations: { en: words() } },
  onConsent: apply,
  onChange: apply,
  onModalReady: ({ modalName, modal }) => {
    if (modalName === "preferencesModal") unfold(modal);
  },
});

/** Runs on every page where a choice has been made, and when it changes. */
function apply(): void {
  const analytics = acceptedCategory("analytics");
  const advertising = acceptedCategory("advertising");
  updateConsent({ analytics, advertising });
  if (gtmId && analytics) once("tag manager", () => loadTagManager(gtmId));
  if (adsClient && advertising) once("ads", () => whenSettled(() => loadAds(adsClient)));
}

/** Shows what each choice means, which the library folds away, and has it said with the choice. */
function unfold(settings: HTMLElement): void {
  for (const title of settings.querySelectorAll<HTMLElement>(".pm__section-title[aria-expanded]")) {
    title.click();
    const box = title.parentElement?.querySelector("input");
    box?.setAttribute("aria-describedby", title.getAttribute("aria-controls") ?? "");
  }
}

function once(name: string, action: () => void): void {
  if (loaded.has(name)) return;
  loaded.add(name);
  action();
}

/** Runs an action after hydration, in which React must not find slots changed. */
function whenSettled(action: () => void): void {
  const wait = () => setTimeout(action, 0);
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
}

/** Post codes stay out of the statistics. */
function pagePath(): string {
  return findPage(location.pathname) === pages.preview ? pages.preview.path : location.pathname;
}

function appendStyleSheet(): void {
  if (!styleSheet) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = styleSheet;
  document.head.append(link);
}

function words(): Translation {
  const asked = [gtmId && "statistics", adsClient && "advertising"].filter(Boolean).join(" and ");
  return {
    consentModal: {
      title: "Your choice about cookies",
      description:
        `We load ${asked} only if you agree. ` + `<a href="${pages.privacy.path}">${pages.privacy.label}</a>`,
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
            "Two cookies that the tool needs, and one that remembers this choice. They are always on.",
          linkedCategory: "necessary",
        },
        ...(gtmId
          ? [
              {
                title: "Statistics",
                description: "Show us which pages are opened and where people get stuck.",
                linkedCategory: "analytics",
              },
            ]
          : []),
        ...(adsClient
          ? [
              {
                title: "Advertising",
                description:
                  "Lets the advertising network show ads here, and choose them by what it knows of you.",
                linkedCategory: "advertising",
              },
            ]
          : []),
      ],
    },
  };
}
