import type { Row } from "./row";

/** Texts in the field "Email". Expected: the stored address, or null if the form rejects the text. */
export const emails: Row<string, string | null>[] = [
  {
    input: "\u200bperson@example.com",
    expected: "person@example.com",
    source: "validatorjs/validator.js#940",
  },
  {
    input: "per\u00adson\u200b@example.com",
    expected: "person@example.com",
    source: "churchthemes/church-theme-framework#16",
  },
  {
    input: "\u202aperson@\u200bexample.\u200bcom\u202c",
    expected: "person@example.com",
    source: "jquery-validation/jquery-validation#1287",
  },
  { input: "first..last@docomo.ne.jp", expected: "first..last@docomo.ne.jp", source: "exceedone/exment#800" },
  { input: "first.@docomo.ne.jp", expected: "first.@docomo.ne.jp", source: "KumoCorp/kumomta#77" },
  {
    input: "person@example.africa",
    expected: "person@example.africa",
    source: "shesha-io/shesha-framework#4830",
  },
  { input: "person@arı.example", expected: "person@xn--ar-ipa.example", source: "nylas/nylas-mail#1920" },
  { input: "person\u00a0@example.com", expected: null, source: "egulias/EmailValidator#386" },
  { input: "o’brien@example.com", expected: null, source: "alphagov/notifications-utils#500" },
];
