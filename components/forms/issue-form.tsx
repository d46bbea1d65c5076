"use client";

import { useEffect, useEffectEvent } from "react";
import { FormLayout } from "@/components/forms/form-layout";
import { SenderFields } from "@/components/forms/sender-fields";
import { useFormSubmission, type FormConfig } from "@/components/forms/hooks/use-form-submission";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Field } from "@/components/ui/form/field";
import { Input, Textarea } from "@/components/ui/form/input";
import { Select } from "@/components/ui/form/select";
import { fetchReceipt } from "@/lib/client/api/queries";
import { issueFormHash } from "@/lib/http/pages";
import { browsers, devices, issueTypes } from "@/lib/schemas/form-options";
import type { issueFields } from "@/lib/schemas/forms";

const config: FormConfig<typeof issueFields> = {
  id: "issue",
  loadResolver: () => import("@/components/forms/resolvers").then((module) => module.issueResolver),
  success: {
    title: "Issue reported!",
    description: "Thank you for reporting this issue. Our team will investigate it.",
  },
  confirmation: {
    title: "We have your report",
    next: "It is in our inbox. If we have a question, it comes by email to",
  },
  failure: "There was a problem submitting your report. Please try again.",
  events: ["missing_captcha"],
};

/** Renders the form of the page "Report an Issue". */
export function IssueForm() {
  const submission = useFormSubmission(config);
  const { field, fill } = submission;
  const fillReference = useEffectEvent((reference: string) => fill("reference", reference));
  useEffect(() => {
    if (window.location.hash !== issueFormHash) return;
    fetchReceipt().then(
      ({ order }) => order && fillReference(order.reference),
      () => {
        // The flow has ended. The visitor can type the reference.
      },
    );
  }, []);
  const reproduceIssue = field("reproduceIssue");
  return (
    <FormLayout
      submission={submission}
      label="Report an issue"
      action="Submit Report"
      sending="Submitting..."
    >
      <SenderFields field={field} />
      <Field {...field("issueType")} label="Issue type" required>
        {(props) => <Select {...props} options={issueTypes} placeholder="Choose an issue type" />}
      </Field>
      <Field
        {...field("reference")}
        label="Order reference"
        hint="From the page that confirmed your request, for example 7K3M-0Q2X-9ZTB."
        required={false}
      >
        {(props) => <Input {...props} autoComplete="off" spellCheck={false} />}
      </Field>
      <Field {...field("url")} label="Link of the affected post" required={false}>
        {(props) => (
          <Input
            {...props}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            placeholder="https://www.instagram.com/p/…"
          />
        )}
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field {...field("device")} label="Device" required>
          {(props) => <Select {...props} options={devices} placeholder="Choose your device" />}
        </Field>
        <Field {...field("browser")} label="Browser" required>
          {(props) => <Select {...props} options={browsers} placeholder="Choose your browser" />}
        </Field>
      </div>
      <Field
        {...field("description")}
        label="What happened?"
        hint="What did you do, what did you expect, and which message did you see?"
        required
      >
        {(props) => <Textarea {...props} />}
      </Field>
      <Field {...field("steps")} label="Steps that lead to it" required={false}>
        {(props) => <Textarea {...props} rows={3} />}
      </Field>
      <Checkbox
        {...reproduceIssue.control}
        id={reproduceIssue.id}
        label="It happens every time I follow these steps"
      />
    </FormLayout>
  );
}
