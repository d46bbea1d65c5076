import type { ComponentProps } from "react";
import { browsers, contactCategories, devices, feedbackTypes, issueTypes } from "@/lib/schemas/form-options";
import type { contactFields, feedbackFields, issueFields } from "@/lib/schemas/forms";

/** A field of a form, with attributes for its control. */
export interface FieldSpec<Name extends string = string> extends ComponentProps<"input"> {
  name: Name;
  label: string;
  hint?: string;
  optional?: true;
  /** Makes the field a select with a placeholder, or radio buttons. It shows the values, and sends the keys. */
  options?: Readonly<Record<string, string>>;
  /** Makes the field a text area with this height. */
  rows?: number;
}

interface FormSpec<Name extends string = string> {
  label: string;
  /** Label of the submit button. During a request, the button shows `sending` instead. */
  action: string;
  sending: string;
  /** Wide screens show the fields of an inner list side by side. */
  fields: readonly (FieldSpec<Name> | readonly FieldSpec<Name>[])[];
  /** Texts of the toast that appears after the server has stored the message. */
  success: { title: string; description: string };
  /** Texts of the confirmation that replaces the form. The visitor's email address follows `next`. */
  confirmation: { title: string; next: string };
  /** Text for a failed submission, in the toast and below the submit button. */
  failure: string;
}

type FormOf<Schema extends { shape: object }> = FormSpec<keyof Schema["shape"] & string>;

const sender: readonly FieldSpec<"name" | "email">[] = [
  { name: "name", label: "Name", autoComplete: "name" },
  { name: "email", label: "Email", hint: "So that we can answer you.", type: "email", autoComplete: "email" },
];
const message = { name: "message", label: "Message", rows: 5 } as const;

const contact: FormOf<typeof contactFields> = {
  label: "Contact us",
  action: "Send Message",
  sending: "Sending...",
  fields: [
    ...sender,
    { name: "subject", label: "Subject", autoComplete: "off" },
    { name: "category", label: "Category", options: contactCategories, placeholder: "Choose a category" },
    message,
  ],
  success: { title: "Message sent!", description: "We'll get back to you as soon as possible." },
  confirmation: { title: "We have your message", next: "Our answer comes by email to" },
  failure: "There was a problem sending your message. Please try again.",
};

const feedback: FormOf<typeof feedbackFields> = {
  label: "Share feedback",
  action: "Submit Feedback",
  sending: "Submitting...",
  fields: [...sender, { name: "feedbackType", label: "Feedback type", options: feedbackTypes }, message],
  success: { title: "Feedback submitted!", description: "Thank you for helping us improve our service." },
  confirmation: { title: "We have your feedback", next: "If we have a question, it comes by email to" },
  failure: "There was a problem submitting your feedback. Please try again.",
};

const issue: FormOf<typeof issueFields> = {
  label: "Report an issue",
  action: "Submit Report",
  sending: "Submitting...",
  fields: [
    ...sender,
    { name: "issueType", label: "Issue type", options: issueTypes, placeholder: "Choose an issue type" },
    {
      name: "reference",
      label: "Order reference",
      hint: "From the page that confirmed your request, for example 7K3M-0Q2X-9ZTB.",
      optional: true,
      autoComplete: "off",
      spellCheck: false,
    },
    {
      name: "url",
      label: "Link of the affected post",
      optional: true,
      inputMode: "url",
      autoComplete: "off",
      autoCapitalize: "none",
      autoCorrect: "off",
      spellCheck: false,
      placeholder: "https://www.instagram.com/p/…",
    },
    [
      { name: "device", label: "Device", options: devices, placeholder: "Choose your device" },
      { name: "browser", label: "Browser", options: browsers, placeholder: "Choose your browser" },
    ],
    {
      name: "description",
      label: "What happened?",
      hint: "What did you do, what did you expect, and which message did you see?",
      rows: 5,
    },
    { name: "steps", label: "Steps that lead to it", optional: true, rows: 3 },
    { name: "reproduceIssue", label: "It happens every time I follow these steps", type: "checkbox" },
  ],
  success: {
    title: "Issue reported!",
    description: "Thank you for reporting this issue. Our team will investigate it.",
  },
  confirmation: { title: "We have your report", next: "If we have a question, it comes by email to" },
  failure: "There was a problem submitting your report. Please try again.",
};

/** The forms by id. The id is in the API path (/api/contact/submit), in element ids and in analytics events. */
export const forms = { contact, feedback, issue };
