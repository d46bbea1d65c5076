/** Colours for images, the manifest and the theme colour. app/globals.css must have the same values. */
export const brandColors = {
  light: {
    background: "#faf8f5",
    foreground: "#231f1b",
    card: "#ffffff",
    "muted-foreground": "#645c54",
    primary: "#5b3fd0",
    "primary-foreground": "#ffffff",
    warning: "#b44a00",
    "warning-soft": "#fdf0e1",
  },
  dark: { card: "#221e1a" },
} as const;

/** Geometry of the logo in SVG units: the number 50 in strokes. In an icon of 16 pixels, a stroke is 1.5 pixels wide. */
export const logoMark = {
  side: 32,
  radius: 8,
  path: "M13.5 9h-7v6.5H10a3.75 3.75 0 0 1 0 7.5H6M18 13a3.75 3.75 0 0 1 7.5 0v6a3.75 3.75 0 0 1-7.5 0z",
  strokeWidth: 3,
} as const;

const { primary, "primary-foreground": digits } = brandColors.light;

/** Logo as an SVG document. app/icon.svg is a copy of this text, because an SVG file cannot import code. */
export const logoSvg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${logoMark.side} ${logoMark.side}">`,
  `<rect width="${logoMark.side}" height="${logoMark.side}" rx="${logoMark.radius}" fill="${primary}"/>`,
  `<path d="${logoMark.path}" fill="none" stroke="${digits}" stroke-width="${logoMark.strokeWidth}"/></svg>\n`,
].join("");

/** Icons of the installed app, at /icons/{file}. `side` is the width and height in pixels. */
export const appIcons = [
  { file: "192.png", side: 192, purpose: "any" },
  { file: "512.png", side: 512, purpose: "any" },
  /** This icon has no transparent corners, because the operating system crops maskable icons. */
  { file: "maskable-512.png", side: 512, purpose: "maskable" },
] as const;
