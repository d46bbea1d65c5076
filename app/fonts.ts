import localFont from "next/font/local";

/** Headings and large figures. The sizes of the fallback are adjusted, so that nothing moves when it arrives. */
const heading = localFont({
  src: "../node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2",
  weight: "200 800",
  variable: "--font-heading",
  display: "swap",
});

/** Everything else. */
const text = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-text",
  display: "swap",
});

/** Class names for `<html>`. */
export const fontVariables = `${heading.variable} ${text.variable}`;
