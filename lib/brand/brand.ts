import { logoMark } from "./logo-mark";

/**
 * The look where no style sheet reaches: images, the manifest, the browser's own bars. The colours are the tokens of
 * app/globals.css under the same names.
 */
export const brandColors = {
  light: {
    background: "#faf8f5",
    foreground: "#231f1b",
    card: "#ffffff",
    "muted-foreground": "#645c54",
    border: "#e4ddd4",
    primary: "#5b3fd0",
    "primary-foreground": "#ffffff",
    warning: "#b44a00",
    "warning-soft": "#fdf0e1",
  },
  dark: { card: "#221e1a" },
} as const;

/** The mark as a picture of its own. app/icon.svg, which cannot import it, is the same. */
export const logoSvg = drawMark();

/** The icons of an installed app, below /icons. Sides in pixels. */
export const appIcons = [
  { file: "192.png", side: 192, purpose: "any" },
  { file: "512.png", side: 512, purpose: "any" },
  /** Filled to its edges, because systems cut it to a shape of their own. */
  { file: "maskable-512.png", side: 512, purpose: "maskable" },
] as const;

function drawMark(): string {
  const { primary, "primary-foreground": dots } = brandColors.light;
  const { side, radius, path, dotSize } = logoMark;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">`,
    `<rect width="${side}" height="${side}" rx="${radius}" fill="${primary}"/>`,
    `<path d="${path}" stroke="${dots}" stroke-width="${dotSize}" stroke-linecap="round"/></svg>\n`,
  ].join("");
}
