/**
 * The claims and figures of the product, word for word. Each stands under a visible label, "Operator's estimate" for
 * times and "Sample content" for the rest, until whoever runs the site replaces it with what they can prove, and sets the
 * group's `sample` to false.
 */

/** How long delivery takes, in each page's own words. */
export const delivery = {
  sample: true,
  /** Home. */
  start: "likes start within a few minutes",
  /** How It Works. */
  arrive: "arrive in 5-15 minutes (up to 30 at peak)",
  /** Support. */
  gradual: "arrive gradually over 15-30 minutes",
  /** Success. */
  begin: "Likes begin to appear within a few minutes",
  /** Success, and the disclaimer. */
  full: "the full 50 may take up to 30 minutes",
  /** The same as a number, for the time of day. */
  fullMinutes: 30,
  /** FAQ, and the issues of the report form. */
  longest: "30-60 minutes, up to 2 hours at peak",
} as const;

/** How long the site itself takes for a request; the screens that wait say it, too. */
export const processing = { sample: true, text: "This usually takes less than 10 seconds." } as const;

/** Home: how busy it is. */
export const recentUse = { sample: true, text: "100+ people used our service in the last hour" } as const;

/** Testimonials: the band of figures. */
export const statistics = {
  sample: true,
  items: [
    { value: "50K+", label: "posts boosted" },
    { value: "1M+", label: "likes delivered" },
    { value: "98%", label: "satisfaction" },
    { value: "4.8", label: "average rating" },
  ],
} as const;

/** What the privacy policy promises; the lives of single records are in lib/config/limits.ts. */
export const privacyFigures = {
  addressAndFingerprintDays: 30,
  statisticsDays: 90,
  rightsAnswerDays: 30,
  ccpaAnswer: "one month",
  minimumAge: 13,
} as const;
