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
    "primary-soft": "#eeeafc",
    warning: "#b44a00",
    "warning-soft": "#fdf0e1",
  },
  dark: { card: "#221e1a" },
} as const;

/** The icons of an installed app, below /icons. Sides in pixels. */
export const appIcons = [
  { file: "192.png", side: 192, purpose: "any" },
  { file: "512.png", side: 512, purpose: "any" },
  /** Filled to its edges, because systems cut it to a shape of their own. */
  { file: "maskable-512.png", side: 512, purpose: "maskable" },
] as const;
