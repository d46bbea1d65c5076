"use client";

import { FormFrame } from "@/components/forms/form-frame";
import { SenderFields } from "@/components/forms/sender-fields";
import { useFormSubmission, type FormPlan } from "@/components/forms/use-form-submission";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { feedbackTypes } from "@/lib/form-options";
import type { feedbackFields } from "@/lib/schemas/forms";

const plan: FormPlan<typeof feedbackFields> = {
  id: "feedback",
  path: "/api/feedback/submit",
  loadResolver: () => import("@/components/forms/resolvers").then((module) => module.feedbackResolver),
  success: { title: "Feedback submitted!", description: "Thank you for helping us improve our service." },
  kept: {
    title: "We have your feedback",
    next: "It is in our inbox. If we have a question, it comes by e-mail to",
  },
  failure: "There was a problem submitting your feedback. Please try again.",
  events: { missingCheck: "feedback_form_missing_captcha" },
};

/** The form of the feedback page. */
export function FeedbackForm() {
  const submission = useFormSubmission(plan);
  const { control, field } = submission;
  return (
    <FormFrame
      submission={submission}
      label="Share feedback"
      action={{ idle: "Submit Feedback", sending: "Submitting..." }}
    >
      <SenderFields control={control} field={field} />
      <RadioGroup
        {...field("feedbackType")}
        label="Feedback type"
        options={feedbackTypes}
        control={control("feedbackType")}
        required
      />
      <Field {...field("message")} label="Message" required>
        {(props) => <Textarea {...props} {...control("message")} />}
      </Field>
    </FormFrame>
  );
}
