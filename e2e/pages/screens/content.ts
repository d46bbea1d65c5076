import type { Page } from "@playwright/test";
import { faqGroups } from "@/lib/content/faq";
import type { ScreenFixture } from "../../support/browser/screen-fixture";
import { at, openAnswer, press, type ScreenSpec, type ScreenSpecs } from "./screen";

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
      (await fixture.open("/", { asking: true })).getByRole("dialog", { name: "Your choice about cookies" }),
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

async function openFaqTab(fixture: ScreenFixture, title: string): Promise<Page> {
  const page = await fixture.open("/faq");
  await page.getByRole("tab", { name: title }).click();
  return page;
}

function faqTab(title: string): ScreenSpec {
  return { open: (fixture) => openFaqTab(fixture, title), says: [title] };
}

function faqAnswer(question: string, says: string[]): ScreenSpec {
  const group = faqGroups.find(({ questions }) => questions.some((each) => each.question === question));
  return {
    open: async (fixture) => openAnswer(await openFaqTab(fixture, group?.title ?? ""), question),
    says,
  };
}

function supportTopic(question: string, says: string[]): ScreenSpec {
  return { open: async (fixture) => openAnswer(await fixture.open("/support"), question), says };
}

/** Marketing, help and legal pages. */
export const contentScreens = {
  "how-it-works": {
    open: at("/how-it-works"),
    says: [
      ...["Enter the post URL", "Verify the post is public", "Send 50 Free Likes"],
      ...["Watch the likes arrive, and return every 4 hours", "arrive in 5-15 minutes (up to 30 at peak)"],
      "usually takes less than 10 seconds",
    ],
    links: { "Read the FAQ": "/faq", "Get 50 Free Likes": "/" },
  },
  testimonials: {
    open: at("/testimonials"),
    says: [
      ...["50K+", "posts boosted", "1M+", "likes delivered"],
      ...["98%", "satisfaction", "4.8", "average rating"],
    ],
    links: { "Try It Now": "/" },
  },
  faq: {
    open: at("/faq"),
    says: ["Help Center"],
    links: { "Contact us": "/contact", "Get 50 Free Likes Now": "/" },
  },
  "faq: About the Service": faqTab("About the Service"),
  "faq: Technical Questions": faqTab("Technical Questions"),
  "faq: How long does delivery take?": faqAnswer("How long does delivery take?", [
    "30-60 minutes, up to 2 hours at peak",
  ]),
  "faq: Limits & Restrictions": faqTab("Limits & Restrictions"),
  "faq: How do you know that I have been here before?": faqAnswer(
    "How do you know that I have been here before?",
    ["IP address", "fingerprint", "a cookie that expires after 4 hours"],
  ),
  "faq: Safety & Privacy": faqTab("Safety & Privacy"),
  "faq: What data do you collect?": faqAnswer("What data do you collect?", [
    "The URLs that you submit, your IP address, your browser's fingerprint, and the time of your requests.",
  ]),
  "faq: Which cookies do you set?": faqAnswer("Which cookies do you set?", [
    "Flow cookie (“flow”), 60 minutes: ",
    "Rate-limit cookie (“rate-limit”), 4 hours: ",
    "it helps track the waiting time",
    "Shared text (“shared-text”), 60 seconds: ",
    "Cookie choice (“consent”), 182 days: ",
    "Advertising or analytics cookies need your consent first.",
  ]),
  support: {
    open: at("/support"),
    says: ["Support Center"],
    links: {
      "Read the FAQ": "/faq",
      "Report an issue": "/report-issue",
      "Contact us": "/contact",
      "Instagram Help Center": "https://help.instagram.com",
      "How It Works": "/how-it-works",
      "Terms of Service": "/terms",
      "Privacy Policy": "/privacy",
      "Share Feedback": "/feedback",
      "Contact Support": "/contact",
    },
  },
  "support: How do I request likes?": supportTopic("How do I request likes?", [
    ...["Copy the public post URL", "Paste it on the homepage.", "Pass verification", "Send 50 Free Likes"],
    "arrive gradually over 15-30 minutes",
  ]),
  "support: Why do I see a cooldown message?": supportTopic("Why do I see a cooldown message?", ["4 hours"]),
  "support: Why is my post marked as private?": supportTopic("Why is my post marked as private?", [
    "Account privacy",
  ]),
  "support: I got a confirmation, but I see no likes. What now?": supportTopic(
    "I got a confirmation, but I see no likes. What now?",
    ["Give it time"],
  ),
  "terms-of-service": {
    open: at("/terms-of-service"),
    says: [
      ...["Service description", "Usage limits", "No guaranteed engagement", "Your duties", "Advertising"],
      ...["Intellectual property", "Instagram's policies", "Termination", "Indemnification"],
      ...["Limitation of liability", "Disclaimer of warranties", "Governing law", "Changes to these terms"],
      ...["Contact", "Last updated"],
      ...["Daily platform-wide limits may apply", "The number of likes may change"],
      "illegal, hateful, violent or adult content are rejected",
    ],
    links: { "Privacy Policy": "/privacy-policy", Disclaimer: "/disclaimer" },
  },
  "privacy-policy": {
    open: at("/privacy-policy"),
    says: [
      ...["Data we collect", "Cookies", "Analytics", "Advertising partners", "Retention"],
      ...["Transfer to other countries", "Disclosure to others", "Security"],
      ...["Your rights, wherever you live", "CCPA", "GDPR", "Children", "Links to other sites", "Contact"],
      ...["Last updated", "Submitted URLs.", "IP address.", "Browser fingerprint.", "Request timestamps,"],
      ...["up to 30 days", "anonymised after 90 days", "within 30 days", "within one month", "under 13"],
    ],
  },
  disclaimer: {
    open: at("/disclaimer"),
    says: ["13.", "the full 50 may take up to 30 minutes", "Last updated"],
    links: {
      "Privacy Policy": "/privacy-policy",
      "Terms of Service": "/terms-of-service",
      "Contact Us": "/contact",
    },
  },
} satisfies ScreenSpecs;
