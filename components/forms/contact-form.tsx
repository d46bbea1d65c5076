"use client";

import { FormLayout } from "@/components/forms/form-layout";
import { SenderFields } from "@/components/forms/sender-fields";
import { useFormSubmission, type FormConfig } from "@/components/forms/hooks/use-form-submission";
import { Field } from "@/components/ui/form/field";
import { Input, Textarea } from "@/components/ui/form/input";
import { Select } from "@/components/ui/form/select";
import { contactCategories } from "@/lib/schemas/form-options";
import type { contactFields } from "@/lib/schemas/forms";

const config: FormConfig<typeof contactFields> = {
  id: "contact",
  loadResolver: () => import("@/components/forms/resolvers").then((module) => module.contactResolver),
  success: { title: "Message sent!", description: "We'll get back to you as soon as possible." },
  confirmation: {
    title: "We have your message",
    next: "It is in our inbox. Our answer comes by email to",
  },
  failure: "There was a problem sending your message. Please try again.",
  events: ["submit", "success", "error", "exception", "missing_captcha"],
};

/** Renders the form of the contact page. */
export function ContactForm() {
  const submission = useFormSubmission(config);
  const { field } = submission;
  return (
    <FormLayout submission={submission} label="Contact us" action="Send Message" sending="Sending...">
      <SenderFields field={field} />
      <Field {...field("subject")} label="Subject" required>
        {(props) => <Input {...props} autoComplete="off" />}
      </Field>
      <Field {...field("category")} label="Category" required>
        {(props) => <Select {...props} options={contactCategories} placeholder="Choose a category" />}
      </Field>
      <Field {...field("message")} label="Message" required>
        {(props) => <Textarea {...props} />}
      </Field>
    </FormLayout>
  );
}
