import type { Page } from "@playwright/test";
import { at, press, type ScreenSpecs } from "./screen";

const mainNavigation = (page: Page) => page.getByRole("navigation", { name: "Main" });

const mainLinks = { Home: "/", "How It Works": "/how-it-works", Testimonials: "/testimonials", FAQ: "/faq" };
const supportLinks = {
  "Support Center": "/support",
  "Contact Us": "/contact",
  "Share Feedback": "/feedback",
  "Report an Issue": "/report-issue",
};

function breakDates(): void {
  Intl.DateTimeFormat = (() => {
    throw new Error("broken");
  }) as never;
}

/** Parts of every page, and screens that replace a page. */
export const siteScreens = {
  header: {
    open: async (fixture) => mainNavigation(await fixture.open("/faq", { wide: true })),
    only: "wide",
    links: mainLinks,
  },
  "header: Support submenu": {
    open: async (fixture) =>
      mainNavigation(await press(await fixture.open("/faq", { wide: true }), "Support")),
    only: "wide",
    links: supportLinks,
  },
  "header: mobile menu": {
    open: async (fixture) =>
      (await press(await fixture.open("/faq"), "Menu")).getByRole("navigation", { name: "Menu" }),
    only: "narrow",
    says: ["Support", "Legal"],
    links: {
      ...mainLinks,
      ...supportLinks,
      "Terms of Service": "/terms",
      "Privacy Policy": "/privacy",
      Disclaimer: "/disclaimer",
    },
  },
  footer: {
    open: async (fixture) => (await fixture.open("/faq")).getByRole("contentinfo"),
    says: [
      "Helps boost engagement with real likes on your posts every 4 hours.",
      "Not affiliated with Instagram.",
      "© 2025",
    ],
    links: {
      Home: "/",
      "How It Works": "/how-it-works/",
      "Why this tool": "/#why",
      FAQ: "/faq/",
      "Terms of Service": "/terms-of-service",
      "Privacy Policy": "/privacy-policy",
      Disclaimer: "/disclaimer",
      "Contact Us": "/contact/",
      "Share Feedback": "/feedback/",
      "Report an Issue": "/report-issue/",
    },
  },
  "cookies: asked": {
    open: async (fixture) =>
      (await fixture.open("/", { asking: true })).getByRole("region", { name: "Your choice about cookies" }),
    says: ["Your choice about cookies", "Accept all", "Reject all", "Choose"],
    links: { "Privacy Policy": "/privacy-policy" },
  },
  "cookies: settings": {
    open: async (fixture) =>
      (await press(await fixture.open("/", { asking: true }), "Choose")).getByRole("dialog", {
        name: "Cookie settings",
      }),
    says: ["Cookie settings", "Necessary", "Statistics", "Advertising", "Save my choice"],
  },
  "not found": {
    open: at("/no-such-page"),
    title: "Page Not Found",
    says: ["404", "Page Not Found", "Back to Home", "Go Back"],
  },
  // A function of the browser fails, so React cannot render the receipt.
  "broken page": {
    open: at("/success/", { as: "ordered", prepare: (page) => page.addInitScript(breakDates) }),
    title: "An error occurred",
    says: ["An error occurred", "Back to Home", "Go Back"],
  },
} satisfies ScreenSpecs;

/** Marketing, help and legal pages. lib/content/content.test.ts checks their texts and links in detail. */
export const contentScreens = {
  "how-it-works": {
    open: at("/how-it-works"),
    says: [
      "Enter the post URL",
      "Verify the post is public",
      "Watch the likes arrive, and return every 4 hours",
    ],
    links: { "Read the FAQ": "/faq", "Get 50 Free Likes": "/" },
  },
  testimonials: { open: at("/testimonials"), links: { "Try It Now": "/" } },
  faq: { open: at("/faq"), links: { "Contact us": "/contact", "Get 50 Free Likes Now": "/" } },
  "faq: About the Service": { open: at("/faq#about"), says: ["Is it really free?"] },
  "faq: Technical Questions": { open: at("/faq#technical"), says: ["Which links can I paste?"] },
  "faq: Limits & Restrictions": { open: at("/faq#limits"), says: ["What is the daily limit?"] },
  "faq: Safety & Privacy": { open: at("/faq#safety"), says: ["What data do you collect?"] },
  support: { open: at("/support"), links: { "Contact Support": "/contact" } },
  "terms-of-service": {
    open: at("/terms-of-service"),
    says: [
      ...["Service description", "Usage limits", "No guaranteed engagement", "Your duties", "Advertising"],
      ...["Intellectual property", "Instagram's policies", "Termination", "Indemnification"],
      ...["Limitation of liability", "Disclaimer of warranties", "Governing law", "Changes to these terms"],
      ...["Contact", "Last updated", "illegal, hateful, violent or adult content are rejected"],
    ],
  },
  "privacy-policy": {
    open: at("/privacy-policy"),
    says: [
      ...["Data we collect", "Cookies", "Analytics", "Advertising partners", "Retention"],
      ...["Transfer to other countries", "Disclosure to others", "Security"],
      ...["Your rights, wherever you live", "CCPA", "GDPR", "Children", "Links to other sites", "Contact"],
      "Last updated",
    ],
  },
  disclaimer: { open: at("/disclaimer"), says: ["13.", "Last updated"] },
} satisfies ScreenSpecs;
