import { logoMark } from "./logo-mark";

/** Colours for images, the manifest and the theme colour. app/globals.css must have the same values. */
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

/** Logo as an SVG document. app/icon.svg is a copy of this text, because an SVG file cannot import code. */
export const logoSvg = drawLogo();

/** Icons of the installed app, at /icons/{file}. `side` is the width and height in pixels. */
export const appIcons = [
  { file: "192.png", side: 192, purpose: "any" },
  { file: "512.png", side: 512, purpose: "any" },
  /** This icon has no transparent corners, because the operating system crops maskable icons. */
  { file: "maskable-512.png", side: 512, purpose: "maskable" },
] as const;

function drawLogo(): string {
  const { primary, "primary-foreground": dots } = brandColors.light;
  const { side, radius, path, dotSize } = logoMark;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">`,
    `<rect width="${side}" height="${side}" rx="${radius}" fill="${primary}"/>`,
    `<path d="${path}" stroke="${dots}" stroke-width="${dotSize}" stroke-linecap="round"/></svg>\n`,
  ].join("");
}
