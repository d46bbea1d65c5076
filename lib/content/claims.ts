/* While `sample` is true, pages show the label "Operator's estimate" or "Sample content" beside the claim. */

/** Delivery times, with the exact wording of each page. */
export const delivery = {
  sample: true,
  start: "likes start within a few minutes",
  arrive: "arrive in 5-15 minutes (up to 30 at peak)",
  gradual: "arrive gradually over 15-30 minutes",
  begin: "Likes begin to appear within a few minutes",
  full: "the full 50 may take up to 30 minutes",
  /** The minutes of `full` as a number; the success page calculates the time of day with this number. */
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

/** Periods in the privacy policy; lib/config/limits.ts has the retention periods of stored records. */
export const privacyFigures = {
  addressAndFingerprintDays: 30,
  statisticsDays: 90,
  rightsResponseDays: 30,
  ccpaResponseTime: "one month",
  minimumAge: 13,
} as const;
