"use client";

import { FormLayout } from "@/components/forms/form-layout";
import { SenderFields } from "@/components/forms/sender-fields";
import { useFormSubmission, type FormConfig } from "@/components/forms/hooks/use-form-submission";
import { Field } from "@/components/ui/form/field";
import { Textarea } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { feedbackTypes } from "@/lib/schemas/form-options";
import type { feedbackFields } from "@/lib/schemas/forms";

const config: FormConfig<typeof feedbackFields> = {
  id: "feedback",
  loadResolver: () => import("@/components/forms/resolvers").then((module) => module.feedbackResolver),
  success: { title: "Feedback submitted!", description: "Thank you for helping us improve our service." },
  confirmation: {
    title: "We have your feedback",
    next: "It is in our inbox. If we have a question, it comes by email to",
  },
  failure: "There was a problem submitting your feedback. Please try again.",
  events: ["missing_captcha"],
};

/** Renders the form of the feedback page. */
export function FeedbackForm() {
  const submission = useFormSubmission(config);
  const { field } = submission;
  return (
    <FormLayout
      submission={submission}
      label="Share feedback"
      action="Submit Feedback"
      sending="Submitting..."
    >
      <SenderFields field={field} />
      <RadioGroup {...field("feedbackType")} label="Feedback type" options={feedbackTypes} required />
      <Field {...field("message")} label="Message" required>
        {(props) => <Textarea {...props} />}
      </Field>
    </FormLayout>
  );
}
