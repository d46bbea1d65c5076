/* Values and labels of form choices. They are not in forms.ts, because pages load forms.ts later. */

export const contactCategories = {
  general: "General Question",
  technical: "Technical Support",
  billing: "Account Issues",
  feedback: "Feedback & Suggestions",
  bug: "Report a Bug",
  other: "Other",
} as const;

export const feedbackTypes = {
  suggestion: "Suggestion",
  experience: "Experience",
  feature: "Feature",
  other: "Other",
} as const;

export const issueTypes = {
  technical: "Technical problem",
  likes: "Likes not received",
  account: "Private account error",
  cooldown: "Cooldown error",
  verification: "Verification problem",
  ui: "Display problem",
  other: "Other",
} as const;

export const devices = {
  desktop: "Desktop or laptop",
  iphone: "iPhone",
  android: "Android phone",
  ipad: "iPad",
  "android-tablet": "Android tablet",
  other: "Other",
} as const;

export const browsers = {
  chrome: "Chrome",
  firefox: "Firefox",
  safari: "Safari",
  edge: "Edge",
  opera: "Opera",
  samsung: "Samsung Internet",
  other: "Other",
} as const;
