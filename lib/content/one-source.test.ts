/**
 * @jest-environment-options {"customExportConditions": ["node", "require", "default"]}
 */
import { deliveryTimes } from "@/lib/content/figures";
import { pageHeads } from "@/lib/content/page-heads";
import { errorTable } from "@/lib/http/errors";
import { contentNames, renderContent } from "./test-pages";
import type * as figuresModule from "@/lib/content/figures";
import type * as limitsModule from "@/lib/config/limits";

jest.mock("server-only", () => ({}));

/*
 * These mocks change every limit, period and cookie name. If a text still shows a real value, the text does not follow
 * its source.
 */
jest.mock("@/lib/config/limits", () => {
  const real = jest.requireActual<typeof limitsModule>("@/lib/config/limits");
  return {
    ...real,
    limits: timesSeven(real.limits),
    retention: timesSeven(real.retention),
    consentCookie: { name: "other-consent", days: real.consentCookie.days * 7 },
    flowCookieName: "other-flow",
    rateLimitCookieName: "other-rate-limit",
    sharedTextCookieName: "other-shared-text",
    sharedTextCookieSeconds: real.sharedTextCookieSeconds * 7,
  };
});
jest.mock("@/lib/content/figures", () => {
  const real = jest.requireActual<typeof figuresModule>("@/lib/content/figures");
  return { ...real, privacyFigures: { ...real.privacyFigures, ...timesSeven(real.privacyFigures) } };
});

function timesSeven(values: object): Record<string, number> {
  const numbers = Object.entries(values).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(numbers.map(([name, value]) => [name, (value as number) * 7]));
}

const realValue = new RegExp(
  [
    "(?<!\\d-)\\b(?:4|48) hours",
    "\\b(?:50|100,000)\\b(?= (?:more |free |Free )?(?:Instagram )?likes)",
    "\\b(?:6|60|65|25|1) (?:times|requests|accepted|uses|minutes?|seconds)",
    "\\b(?:3|30|90|182) days\\b(?! ago)",
    "under 13",
    "“(?:flow-…|rate-limit|shared-text|consent)”",
  ].join("|"),
  "g",
);

/** Texts that the owner of the product asked for, word for word. */
const quoted = Object.values<unknown>(deliveryTimes).filter((value) => typeof value === "string");

it.each([
  ...contentNames.map((name) => [name, renderContent(name).innerHTML]),
  ["the titles and descriptions", JSON.stringify(pageHeads)],
  ["the error messages", JSON.stringify(errorTable)],
])("%s: takes every number, period and cookie name from its source", (_name, html = "") => {
  const text = quoted.reduce((rest, each) => rest.replaceAll(each, ""), html.replaceAll(/<[^>]+>/g, ""));
  expect(text.match(realValue) ?? []).toEqual([]);
});
