import localFont from "next/font/local";

/* How the files were made: typefaces/README.md. */

/** Headings and large figures, all of one weight. The fallback is sized like it, so that nothing moves when it arrives. */
const heading = localFont({
  src: "./typefaces/bricolage-grotesque-700.woff2",
  weight: "700",
  variable: "--font-heading",
  display: "swap",
});

/** Everything else, in every weight that tailwind.config.ts and browsers' own styles ask for. */
const text = localFont({
  src: "./typefaces/inter-400-700.woff2",
  weight: "400 700",
  variable: "--font-text",
  display: "swap",
});

/** Class names for `<html>`. */
export const fontVariables = `${heading.variable} ${text.variable}`;
