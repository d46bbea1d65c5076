/**
 * @jest-environment-options {"customExportConditions": ["node", "require", "default"]}
 */
import { createElement, type ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import DisclaimerPage from "@/app/(legal)/disclaimer/page";
import PrivacyPage from "@/app/(legal)/privacy-policy/page";
import TermsPage from "@/app/(legal)/terms-of-service/page";
import FaqPage from "@/app/(marketing)/faq/page";
import HowItWorksPage from "@/app/(marketing)/how-it-works/page";
import { HomeSections } from "@/app/(marketing)/home-sections";
import SupportPage from "@/app/(marketing)/support/page";
import TestimonialsPage from "@/app/(marketing)/testimonials/page";
import { deliveryTimes } from "@/lib/content/figures";
import { getFaqGroups, getHomeQuestions } from "@/lib/content/faq";
import { cookieNotes } from "@/lib/content/cookies";
import { estimateLabel, sampleLabel } from "@/lib/content/site";
import { getSupportTopics } from "@/lib/content/support-topics";
import { fullTestimonials, homeTestimonials, shortReviews, successStories } from "@/lib/content/testimonials";

// The package "server-only" throws an error outside Next.js, and this test renders pages without Next.js.
jest.mock("server-only", () => ({}));

const rendered = {
  home: () => HomeSections({ operator: null }),
  howItWorks: HowItWorksPage,
  testimonials: TestimonialsPage,
  faq: FaqPage,
  support: SupportPage,
  terms: TermsPage,
  privacy: PrivacyPage,
  disclaimer: DisclaimerPage,
} satisfies Record<string, ComponentType>;

type PageName = keyof typeof rendered;

function htmlOf(name: PageName): string {
  return renderToStaticMarkup(createElement<object>(rendered[name]));
}

/** Returns the visible text of a page on one line. */
function textOf(name: PageName): string {
  return htmlOf(name)
    .replaceAll(/<script.*?<\/script>/g, " ")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");
}

const requiredTexts: [PageName, string[]][] = [
  [
    "home",
    ["100+ people used our service in the last hour", "likes start within a few minutes", "Get Started"],
  ],
  [
    "howItWorks",
    [
      "Send 50 Free Likes",
      "arrive in 5-15 minutes (up to 30 at peak)",
      "This usually takes less than 10 seconds.",
    ],
  ],
  [
    "testimonials",
    [
      ...["50K+", "posts boosted", "1M+", "likes delivered", "98%", "satisfaction", "4.8", "average rating"],
      ...["Try It Now", "Sample content"],
    ],
  ],
  [
    "faq",
    [
      ...[
        "Help Center",
        "About the Service",
        "Technical Questions",
        "Limits & Restrictions",
        "Safety & Privacy",
      ],
      ...["Get 50 Free Likes Now", "30-60 minutes, up to 2 hours at peak"],
      "IP address together with your browser's fingerprint, and by a cookie that expires after 4 hours",
      "The URLs that you submit, your IP address, your browser's fingerprint, and the time of your requests.",
    ],
  ],
  [
    "support",
    [
      "Support Center",
      "Copy the public post URL",
      "Pass verification",
      "arrive gradually over 15-30 minutes",
      ...["4 hours", "Account privacy", "Give it time"],
    ],
  ],
  [
    "terms",
    ["Terms of Service", "Daily platform-wide limits may apply", "The number of likes may change", "100,000"],
  ],
  [
    "privacy",
    [
      ...["up to 30 days", "anonymised after 90 days", "within 30 days", "within one month", "under 13"],
      ...["CCPA", "GDPR", "4 hours", "IP address", "fingerprint", "Submitted URLs", "timestamps"],
    ],
  ],
  ["disclaimer", ["Disclaimer", "the full 50 may take up to 30 minutes", "Last updated"]],
];

it.each(requiredTexts)("%s contains the specified texts", (name, strings) => {
  const text = textOf(name);
  expect(strings.filter((string) => !text.includes(string))).toEqual([]);
});

const requiredLinks: [PageName, string[]][] = [
  ["howItWorks", ["/faq", "/"]],
  ["testimonials", ["/"]],
  ["faq", ["/contact", "/"]],
  [
    "support",
    [
      ...[
        "/faq",
        "/report-issue",
        "/contact",
        "https://help.instagram.com",
        "/how-it-works",
        "/terms",
        "/privacy",
      ],
      "/feedback",
    ],
  ],
  ["terms", ["/privacy-policy", "/disclaimer"]],
  ["disclaimer", ["/privacy-policy", "/contact", "/terms-of-service"]],
];

it.each(requiredLinks)("%s contains the required links", (name, hrefs) => {
  const html = htmlOf(name);
  expect(hrefs.filter((href) => !html.includes(`href="${href}"`))).toEqual([]);
});

const faqGroups = getFaqGroups(true, null);
const supportTopics = getSupportTopics(true);

it("has 20 Help Center questions in four tabs and six questions on the home page, with unique ids", () => {
  expect(faqGroups.map(({ title }) => title)).toEqual([
    "About the Service",
    "Technical Questions",
    "Limits & Restrictions",
    "Safety & Privacy",
  ]);
  const questions = faqGroups.flatMap((group) => group.questions);
  expect(questions).toHaveLength(20);
  expect(getHomeQuestions(null)).toHaveLength(6);
  expect(supportTopics).toHaveLength(4);
  for (const list of [questions, getHomeQuestions(null), supportTopics]) {
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    expect(new Set(list.map(({ question }) => question)).size).toBe(list.length);
  }
});

it("has 3 testimonials for the home page, and 7 testimonials and 3 stories for the testimonials page", () => {
  expect(
    [homeTestimonials, fullTestimonials, shortReviews, successStories].map(({ length }) => length),
  ).toEqual([3, 4, 3, 3]);
  // Testimonials page: three groups and the statistics have the label. Home page: one group and the number of
  // recent users have the label.
  expect(textOf("testimonials").split(sampleLabel).length - 1).toBe(4);
  expect(textOf("home").split(sampleLabel).length - 1).toBe(2);
});

it.each([
  ["home", 2],
  ["howItWorks", 2],
  ["faq", 1],
  ["support", 2],
] as const)("%s shows the estimate label %i times", (name, count) => {
  expect(textOf(name).split(estimateLabel).length - 1).toBe(count);
});

it("lists the same cookies in the Help Center and in the privacy policy", () => {
  const [faq, privacy] = [textOf("faq"), textOf("privacy").replaceAll(" (", "(")];
  for (const { label, name, lifetime, holds } of cookieNotes) {
    expect(faq).toContain(`${label} (“${name}”), ${lifetime}: ${holds}.`);
    expect(privacy).toContain(`${label}(“${name}”), ${lifetime}: ${holds}.`);
  }
});

it.each([
  ["terms", 14],
  ["privacy", 15],
  ["disclaimer", 13],
] as const)("%s has %i numbered sections", (name, count) => {
  expect(htmlOf(name).match(/<section id="/g)).toHaveLength(count);
});

it.each(Object.keys(rendered) as PageName[])("%s has no duplicate ids", (name) => {
  const ids = Array.from(htmlOf(name).matchAll(/ id="([^"]+)"/g), (match) => match[1]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it("uses the same number of minutes in deliveryTimes.full and deliveryTimes.fullMinutes", () => {
  expect(deliveryTimes.full).toMatch(new RegExp(`\\b${deliveryTimes.fullMinutes} minutes$`));
});
