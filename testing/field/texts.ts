import type { Row } from "./row";

interface Text {
  /** A field of a form, or a text that the site receives from a service. */
  from: "name" | "message" | "service";
  text: string;
}

/** Texts in many scripts. Expected: the stored or visible text, or null if the form rejects it or nothing is visible. */
export const texts: Row<Text, string | null>[] = [
  { input: { from: "name", text: "王" }, expected: "王", source: "opendocman/opendocman#253" },
  { input: { from: "name", text: "\u2800\u2800" }, expected: null, source: "LemmyNet/lemmy#3436" },
  { input: { from: "name", text: "\u3164" }, expected: null, source: "LemmyNet/lemmy-ui#1715" },
  { input: { from: "name", text: "\u200d\u200d" }, expected: null, source: "Expensify/App#29644" },
  {
    input: { from: "message", text: "\u2060".repeat(12) },
    expected: null,
    source: "FreeFeed/freefeed-server#383",
  },
  {
    input: { from: "message", text: "می‌روم کتاب‌ها" },
    expected: "می‌روم کتاب‌ها",
    source: "diegosouzapw/OmniRoute#12186",
  },
  { input: { from: "service", text: "نیمه\u200cشب" }, expected: "نیمه\u200cشب", source: "jhy/jsoup#1227" },
  { input: { from: "service", text: "\u2800\u115f" }, expected: null, source: "Expensify/App#96468" },
];
