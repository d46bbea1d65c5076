import type { FormName } from "@/testing/good-input";
import { formPages } from "@/testing/browser/form-pages";
import { at, endpoint, submitted, texts, type ScreenSpec, type ScreenSpecs } from "./screen";

type MessageForm = Exclude<FormName, "link">;

type FormState = "filled in wrongly" | "sent without the human check" | "sending" | "failed" | "sent";

interface FormTexts {
  /** Error message of the first choice. */
  choose: string;
  sending: string;
  failed: string[];
  sent: string[];
}

/** The states that each form has. */
function formStates<Path extends string>(path: Path, name: MessageForm, own: FormTexts) {
  const sending = endpoint(formPages[name].api);
  const states: Record<FormState, ScreenSpec> = {
    "filled in wrongly": {
      open: submitted(name, { input: {}, check: false }),
      says: ["There is a problem", own.choose],
    },
    "sent without the human check": { open: submitted(name, { check: false }), ...texts.captchaMissing },
    sending: { open: submitted(name, { prepare: sending.hangs }), says: [own.sending] },
    failed: { open: submitted(name, { prepare: sending.fails }), says: own.failed },
    sent: { open: submitted(name), says: own.sent },
  };
  const entries = Object.entries(states).map(([state, spec]) => [`${path}: ${state}`, spec]);
  return Object.fromEntries(entries) as Record<`${Path}: ${FormState}`, ScreenSpec>;
}

const stillHere = "What you wrote is still here.";

/** The message forms. lib/schemas/forms.test.ts has the error messages of the fields. */
export const formScreens = {
  contact: {
    open: at(formPages.contact.path),
    says: ["Support Center", "Support", "Feedback", "Report Issue", "Send Message"],
    links: { FAQ: "/faq", "privacy policy": "/privacy" },
    choices: {
      category: [
        ...["general: General Question", "technical: Technical Support", "billing: Account Issues"],
        ...["feedback: Feedback & Suggestions", "bug: Report a Bug", "other: Other"],
      ],
    },
  },
  ...formStates("contact", "contact", {
    choose: "Please select a category",
    sending: "Sending...",
    // "Error" is the title of the toast.
    failed: [
      "Error There was a problem sending your message. Please try again.",
      `${texts.ourFault} ${stillHere}`,
    ],
    sent: [
      "Message sent! We'll get back to you as soon as possible.",
      ...["We have your message", "Our answer comes by email to", "person@example.com"],
      "Send another",
    ],
  }),
  feedback: {
    open: at(formPages.feedback.path),
    says: ["Share Feedback", "Submit Feedback"],
    links: { FAQ: "/faq" },
    choices: {
      feedbackType: ["suggestion: Suggestion", "experience: Experience", "feature: Feature", "other: Other"],
    },
  },
  ...formStates("feedback", "feedback", {
    choose: "Please select a feedback type",
    sending: "Submitting...",
    failed: ["Error There was a problem submitting your feedback. Please try again.", stillHere],
    sent: [
      "Feedback submitted! Thank you for helping us improve our service.",
      ...["We have your feedback", "Send another"],
    ],
  }),
  "report-issue": {
    open: at(formPages.issue.path),
    says: ["Report an Issue", "Submit Report"],
    links: { FAQ: "/faq", "Contact Us": "/contact", "Share Feedback": "/feedback" },
    choices: {
      issueType: [
        ...["technical: Technical problem", "likes: Likes not received", "account: Private account error"],
        ...["cooldown: Cooldown error", "verification: Verification problem", "ui: Display problem"],
        "other: Other",
      ],
      device: [
        ...["desktop: Desktop or laptop", "iphone: iPhone", "android: Android phone", "ipad: iPad"],
        ...["android-tablet: Android tablet", "other: Other"],
      ],
      browser: [
        ...["chrome: Chrome", "firefox: Firefox", "safari: Safari", "edge: Edge", "opera: Opera"],
        ...["samsung: Samsung Internet", "other: Other"],
      ],
    },
  },
  "report-issue: common issues": {
    open: async (fixture) => {
      const page = await fixture.open(formPages.issue.path);
      for (const each of await page.locator("main summary").all()) await each.click();
      return page;
    },
    says: [
      ...["Cooldown error", "You need to wait X hours before requesting likes again"],
      ...["Private account error", "This post is private and can't receive likes"],
      ...["URL format error", "Invalid Instagram URL format"],
      ...["No likes appearing", "Likes arrive gradually: 30-60 minutes, up to 2 hours at peak."],
    ],
  },
  ...formStates("report-issue", "issue", {
    choose: "Please select an issue type",
    sending: "Submitting...",
    failed: ["Error There was a problem submitting your report. Please try again.", stillHere],
    sent: [
      "Issue reported! Thank you for reporting this issue. Our team will investigate it.",
      ...["We have your report", "Send another"],
    ],
  }),
} satisfies ScreenSpecs;
