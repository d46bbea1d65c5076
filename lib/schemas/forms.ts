import * as z from "zod/mini";
import { browsers, contactCategories, devices, feedbackTypes, issueTypes } from "@/lib/schemas/form-options";
import { fieldLimits } from "@/lib/config/limits";
import { parseUrl } from "@/lib/http/parse-url";

/* Schemas of the three forms. The browser and the API both check the forms with these schemas. */

/** Control characters and unpaired surrogates. JSON needs six bytes for each of them. */
const unreadable = /(?![\n\r\t])[\p{Cc}\p{Cs}]/gu;
/** Characters without a visible sign, also the Braille cell without dots. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Accents and parts of emoji, which a reader does not count. A flag has two letters. */
const uncounted =
  /\u200d\p{Extended_Pictographic}|[\p{M}\p{Emoji_Modifier}]|(\p{Regional_Indicator})\p{Regional_Indicator}/gu;

/** A letter with a vowel sign, or a syllable of East Asia. Minimum lengths count two letters for it. */
const syllables = /(\p{L})\p{M}|([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/gu;

/** Creates a schema that trims a text and checks its length. JSON has at most four bytes for each character. */
function text(minimum: number, maximum: number, tooShort: string) {
  return z.string({ error: "Required" }).check(
    z.overwrite((value) => value.replace(unreadable, "\ufffd")),
    z.trim(),
    z.refine(
      (value) => countCharacters(value.normalize().replace(syllables, "$1$1$2$2")) >= minimum,
      tooShort,
    ),
    z.refine(
      (value) => countCharacters(value) <= maximum,
      `Please use at most ${maximum.toLocaleString("en-US")} characters`,
    ),
    z.refine(
      (value) => new TextEncoder().encode(JSON.stringify(value)).length - 2 <= 4 * maximum,
      "This text is too long. Please shorten it",
    ),
  );
}

/** Creates a schema for a text that may be missing. The result has no empty text. */
function optionalText(maximum: number) {
  const withoutEmpty = z.transform((value: string) => value || undefined);
  return z.optional(z.pipe(text(0, maximum, ""), withoutEmpty));
}

function countCharacters(value: string): number {
  return Array.from(value.normalize().replace(uncounted, "$1").replace(invisible, "")).length;
}

/** Returns a text with ASCII characters in the place of full-width ones, which East Asian keyboards write. */
function toHalfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/**
 * Returns an email address with the ASCII form of an international domain. Chromium writes this form into the field,
 * Firefox does not.
 */
export function toAsciiDomain(address: string): string {
  const [, local = "", domain = ""] = /^([^@]*@)([^@/?#:\\%\s]*)$/.exec(address) ?? [];
  if (/^[\x21-\x7e]*$/.test(domain)) return address;
  const hostname = parseUrl(`https://${domain}`)?.hostname;
  return hostname === undefined ? address : local + hostname;
}

function choice<Table extends Record<string, string>>(table: Table, error: string) {
  return z.enum(Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]], { error });
}

const name = text(2, fieldLimits.name, "Name must be at least 2 characters");
const invalidEmail = "Please enter a valid email address";
/** Accepts the addresses that a field of the type "email" accepts, up to the lengths of RFC 5321. */
const email = z.string({ error: "Required" }).check(
  // Text that is copied from a page can contain invisible characters.
  z.overwrite((address) => toAsciiDomain(toHalfWidth(address.replace(invisible, "").trim()))),
  z.maxLength(fieldLimits.email, invalidEmail),
  z.regex(/^[^@]{1,64}@/, invalidEmail),
  z.regex(z.regexes.html5Email, invalidEmail),
);
const message = text(10, fieldLimits.message, "Message must be at least 10 characters");

export const contactFields = z.object({
  name,
  email,
  subject: text(5, fieldLimits.subject, "Subject must be at least 5 characters"),
  category: choice(contactCategories, "Please select a category"),
  message,
});

export const feedbackFields = z.object({
  name,
  email,
  feedbackType: choice(feedbackTypes, "Please select a feedback type"),
  message,
});

export const issueFields = z.object({
  name,
  email,
  issueType: choice(issueTypes, "Please select an issue type"),
  reference: optionalText(fieldLimits.reference),
  url: optionalText(fieldLimits.link),
  device: choice(devices, "Please select your device type"),
  browser: choice(browsers, "Please select your browser"),
  description: text(10, fieldLimits.message, "Description must be at least 10 characters"),
  steps: optionalText(fieldLimits.message),
  reproduceIssue: z._default(z.boolean({ error: "Invalid input" }), false),
});

const tokenField = { token: z.string({ error: "Required" }).check(z.minLength(1, "Required")) };

export const contactBody = z.object({ ...contactFields.shape, ...tokenField });
export const feedbackBody = z.object({ ...feedbackFields.shape, ...tokenField });
export const issueBody = z.object({ ...issueFields.shape, ...tokenField });
