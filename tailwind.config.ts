import type { Config } from "tailwindcss";

/** Variables of app/globals.css with colours. */
const colors = [
  ...["background", "foreground", "card", "muted", "muted-foreground", "border", "input", "overlay"],
  ...["primary", "primary-hover", "primary-foreground", "primary-soft"],
  ...["warning", "warning-fill", "warning-soft"],
  ...["destructive", "destructive-foreground", "destructive-soft", "success", "success-soft"],
];

/** Defines class names for the CSS variables of app/globals.css. Removes Tailwind's default colours. */
export default {
  content: ["./app/**/*.{ts,tsx}", "./components/**/*.{ts,tsx}", "./lib/content/**/*.{ts,tsx}"],
  theme: {
    colors: {
      current: "currentColor",
      transparent: "transparent",
      ...Object.fromEntries(colors.map((name) => [name, `var(--${name})`])),
    },
    // The site has one radius and one shadow.
    borderRadius: { DEFAULT: "var(--radius)", full: "9999px" },
    boxShadow: { DEFAULT: "var(--shadow)" },
    extend: {
      fontFamily: {
        sans: "var(--font-text)",
        display: "var(--font-heading)",
        // Shorter than Tailwind's list. No page uses it.
        mono: "monospace",
      },
      fontSize: {
        xs: ["0.8125rem", "1.25rem"],
        sm: ["0.9375rem", "1.375rem"],
        // For texts that are not headings of this level.
        h3: "var(--h3)",
        h2: "var(--h2)",
        hero: "var(--hero)",
        // Large text on a phone: with more than 5vw, the labels of the steps would touch.
        "2xs": ["min(0.8125rem, 5vw)", "1.5"],
      },
      // Width of the single main column. Steps and forms set --column on tablets.
      // Beside an aside (26rem) and the gap (3rem), it may be narrower.
      maxWidth: { column: "var(--column, 40rem)", beside: "min(40rem, 100% - 29rem)" },
      // Large text on a phone: with more than 5vw, words of buttons would break.
      padding: { button: "min(1.25rem, 5vw)" },
      gridTemplateColumns: {
        // Main column and aside on wide screens. The aside contains the form (home page) or an advertisement.
        "column-aside": "minmax(0, 40rem) minmax(0, 26rem)",
        // As many columns as fit, or at most two. With large text on a phone, that is one column.
        fit: "repeat(auto-fit, minmax(7rem, 1fr))",
        pairs: "repeat(auto-fit, minmax(max(7rem, 34%), 1fr))",
      },
      keyframes: {
        appear: { from: { opacity: "0" } },
        vanish: { to: { opacity: "0" } },
        "swipe-out": {
          from: { transform: "translateX(var(--radix-toast-swipe-end-x))" },
          to: { transform: "translateX(calc(100% + 1.5rem))" },
        },
      },
      animation: {
        appear: "appear 150ms ease-out",
        vanish: "vanish 150ms ease-out forwards",
        "swipe-out": "swipe-out 150ms ease-out forwards",
      },
    },
  },
} satisfies Config;
