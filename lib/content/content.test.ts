/**
 * @jest-environment-options {"customExportConditions": ["node", "require", "default"]}
 */
import { deliveryTimes } from "@/lib/content/figures";
import { getFaqGroups, getHomeQuestions } from "@/lib/content/faq";
import { cookieNotes } from "@/lib/content/cookies";
import { estimateLabel, formatDay, sampleLabel } from "@/lib/content/site";
import { getSupportTopics } from "@/lib/content/support-topics";
import { fullTestimonials, shortReviews, successStories } from "@/lib/content/testimonials";
import { contentNames, renderContent, textOf, type ContentName } from "./test-pages";

// The package "server-only" throws an error outside Next.js, and this test renders pages without Next.js.
jest.mock("server-only", () => ({}));

/* e2e/pages/screens/content.ts has more texts and links of these pages. */

it.each<[ContentName, texts: string[], links?: string[]]>([
  ["howItWorks", ["arrive in 5-15 minutes (up to 30 at peak)", "This usually takes less than 10 seconds."]],
  [
    "testimonials",
    [
      ...["50K+", "posts boosted", "1M+", "likes delivered", "98%", "satisfaction", "4.8", "average rating"],
      "Sample content",
    ],
  ],
  [
    "faq",
    [
      "30-60 minutes, up to 2 hours at peak",
      "IP address together with your browser's fingerprint, and by a cookie that expires after 4 hours",
      "The URLs that you submit, your IP address, your browser's fingerprint, and the time of your requests.",
    ],
  ],
  [
    "support",
    [
      ...["Copy the public post URL", "Pass verification", "arrive gradually over 15-30 minutes"],
      ...["4 hours", "Account privacy", "Give it time"],
    ],
    [
      ...["/faq", "/report-issue", "/how-it-works", "/terms", "/privacy", "/feedback"],
      "https://help.instagram.com",
    ],
  ],
  [
    "terms",
    ["Daily platform-wide limits may apply", "The number of likes may change", "100,000"],
    ["/privacy-policy", "/disclaimer"],
  ],
  [
    "privacy",
    [
      ...["up to 30 days", "anonymised after 90 days", "within 30 days", "within one month", "under 13"],
      ...["4 hours", "IP address", "fingerprint", "Submitted URLs", "timestamps"],
    ],
  ],
  [
    "disclaimer",
    ["the full 50 may take up to 30 minutes"],
    ["/privacy-policy", "/contact", "/terms-of-service"],
  ],
])("%s contains the specified texts and links", (name, strings, hrefs = []) => {
  const text = textOf(name);
  expect(strings.filter((string) => !text.includes(string))).toEqual([]);
  const page = renderContent(name);
  expect(hrefs.filter((href) => !page.querySelector(`a[href="${href}"]`))).toEqual([]);
});

it("has 20 Help Center questions in four tabs and six questions on the home page, with unique ids", () => {
  const groups = getFaqGroups(true, null);
  const lists = [
    groups.flatMap(({ questions }) => questions),
    getHomeQuestions(null),
    getSupportTopics(true),
  ];
  expect([groups.length, ...lists.map(({ length }) => length)]).toEqual([4, 20, 6, 4]);
  for (const list of lists) {
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    expect(new Set(list.map(({ question }) => question)).size).toBe(list.length);
  }
});

it("has 4 testimonials, 3 short reviews for home too, and 3 stories", () => {
  const lists = [fullTestimonials, shortReviews, successStories];
  expect(lists.map(({ length }) => length)).toEqual([4, 3, 3]);
});

it.each<[ContentName, label: string, count: number]>([
  // Three groups and the statistics.
  ["testimonials", sampleLabel, 4],
  // One group and the number of recent users.
  ["home", sampleLabel, 2],
  ["home", estimateLabel, 2],
  ["howItWorks", estimateLabel, 2],
  ["faq", estimateLabel, 1],
  ["support", estimateLabel, 2],
])("%s shows the label %j %i times", (name, label, count) => {
  expect(textOf(name).split(label).length - 1).toBe(count);
});

it("lists the same cookies in the Help Center and in the privacy policy", () => {
  for (const name of ["faq", "privacy"] as const) {
    const text = textOf(name).replaceAll(" (", "(");
    for (const { label, name, lifetime, holds } of cookieNotes)
      expect(text).toContain(`${label}(“${name}”), ${lifetime}: ${holds}.`.replaceAll(" (", "("));
  }
});

it.each([
  ["terms", 14],
  ["privacy", 15],
  ["disclaimer", 13],
] as const)("%s has %i numbered sections", (name, count) => {
  expect(renderContent(name).querySelectorAll("section[id]")).toHaveLength(count);
});

it.each(contentNames)("%s has no duplicate ids", (name) => {
  const ids = Array.from(renderContent(name).querySelectorAll("[id]"), ({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it("uses the same number of minutes in deliveryTimes.full and deliveryTimes.fullMinutes", () => {
  expect(deliveryTimes.full).toMatch(new RegExp(`\\b${deliveryTimes.fullMinutes} minutes$`));
});

it("names the same day in every time zone", () => expect(formatDay("2026-11-20")).toBe("November 20, 2026"));
