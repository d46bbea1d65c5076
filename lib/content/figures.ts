/*
 * Numbers that nobody has measured. While `sample` is true, pages show the label "Estimate" next
 * to times, and the label "Sample content" next to other numbers.
 */

/** Delivery times. The owner of the product asked for a text of its own on each page. */
export const deliveryTimes = {
  sample: true,
  start: "likes start within a few minutes",
  arrive: "arrive in 5-15 minutes (up to 30 at peak)",
  gradual: "arrive gradually over 15-30 minutes",
  begin: "Likes begin to appear within a few minutes",
  full: "the full 50 may take up to 30 minutes",
  /** The minutes in the text of `full`. The success page uses them to show when all likes should arrive. */
  fullMinutes: 30,
  longest: "30-60 minutes, up to 2 hours at peak",
} as const;

export const processing = { sample: true, text: "This usually takes less than 10 seconds." } as const;

export const recentUse = { sample: true, text: "100+ people used our service in the last hour" } as const;

export const statistics = {
  sample: true,
  items: [
    { value: "50K+", label: "posts boosted" },
    { value: "1M+", label: "likes delivered" },
    { value: "98%", label: "satisfaction" },
    { value: "4.8", label: "average rating" },
  ],
} as const;

/** Numbers in the legal texts. The retention periods that the server applies are in lib/config/limits.ts. */
export const privacyFigures = {
  addressAndFingerprintDays: 30,
  statisticsDays: 90,
  rightsResponseDays: 30,
  ccpaResponseTime: "one month",
  minimumAge: 13,
} as const;
