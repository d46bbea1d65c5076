import localFont from "next/font/local";

/*
 * How the files were made: typefaces/README.md. What accented letters need comes only where there are some: a name of a
 * user or of a site, a caption.
 */

/** Headings and large figures, all of one weight. The fallback is sized like it, so that nothing moves when it arrives. */
const heading = localFont({
  src: "./typefaces/bricolage-grotesque-700.woff2",
  weight: "700",
  variable: "--font-heading",
  display: "swap",
});

const headingAccents = localFont({
  src: "./typefaces/bricolage-grotesque-700-accents.woff2",
  weight: "700",
  variable: "--font-heading-accents",
  display: "swap",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+A1-A8,U+AA,U+AC,U+AE-B6,U+B8-BA,U+BC-D6,U+D8-E8,U+EA-FF,U+131,U+152-153,U+2030,U+2039-203A,U+20AC,U+2122",
    },
  ],
});

/** Everything else, in every weight that tailwind.config.ts and browsers' own styles ask for. */
const text = localFont({
  src: "./typefaces/inter-400-700.woff2",
  weight: "400 700",
  variable: "--font-text",
  display: "swap",
});

const textAccents = localFont({
  src: "./typefaces/inter-400-700-accents.woff2",
  weight: "400 700",
  variable: "--font-text-accents",
  display: "swap",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+A1-A8,U+AA,U+AC,U+AE-B6,U+B8-BA,U+BC-D6,U+D8-E8,U+EA-FF,U+131,U+152-153,U+2030,U+2039-203A,U+20AC,U+2122",
    },
  ],
});

/** Class names for `<html>`. */
export const fontVariables = [heading, headingAccents, text, textAccents]
  .map(({ variable }) => variable)
  .join(" ");
