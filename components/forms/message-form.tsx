"use client";

import { useEffect, useEffectEvent } from "react";
import { flushSync } from "react-dom";
import { Agreement } from "@/components/content/agreement";
import { forms, type FieldSpec } from "@/components/forms/forms";
import { ErrorSummary, MessageReceived } from "@/components/forms/submission-result";
import { useFormSubmission, type FormSubmission } from "@/components/forms/hooks/use-form-submission";
import { Checkbox, RadioGroup, Select } from "@/components/ui/form/choices";
import { Field } from "@/components/ui/form/field";
import { Input, Textarea } from "@/components/ui/form/input";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";
import { fetchReceipt } from "@/lib/client/api/queries";
import { issueFormHash } from "@/lib/http/pages";

/** Renders a form of the table in forms.ts. After success, shows a confirmation instead of the form. */
export function MessageForm({ id }: { id: keyof typeof forms }) {
  const { label, action, sending, fields } = forms[id];
  const submission = useFormSubmission(id);
  const { field, fill, summary, rejectionCount, failure, confirmation, showEmptyForm, submit, captcha } =
    submission;
  const { ref: form } = captcha.formProps;

  const fillReference = useEffectEvent((reference: string) => fill("reference", reference));
  useEffect(() => {
    if (id !== "issue" || window.location.hash !== issueFormHash) return;
    fetchReceipt().then(
      ({ order }) => order && fillReference(order.reference),
      () => {
        // The flow has ended. The visitor can type the reference.
      },
    );
  }, [id]);

  function startNextMessage() {
    // Renders synchronously, because the next line focuses a field of the new form.
    flushSync(showEmptyForm);
    form.current?.querySelector("input")?.focus();
  }

  const render = (spec: FieldSpec) => <FormField key={spec.name} spec={spec} field={field} />;
  return (
    <>
      {confirmation ? (
        <MessageReceived {...confirmation} onSendAnother={startNextMessage} />
      ) : (
        <form {...captcha.formProps} aria-label={label} onSubmit={submit} className="flex flex-col gap-5">
          <ErrorSummary errors={summary} rejectionCount={rejectionCount} />
          {fields.map((spec, index) =>
            "name" in spec ? (
              render(spec)
            ) : (
              <div key={index} className="grid items-start gap-5 sm:grid-cols-2">
                {spec.map(render)}
              </div>
            ),
          )}
          {captcha.element}
          <SubmitButton
            sending={captcha.sending}
            sendingLabel={sending}
            failure={
              failure && (
                <>
                  <p>{failure.message}</p>
                  {failure.cause && <p className="mt-1">{failure.cause}</p>}
                  <p className="mt-1 text-muted-foreground">What you wrote is still here.</p>
                </>
              )
            }
          >
            {action}
          </SubmitButton>
          <Agreement />
        </form>
      )}
      <ToastOutlet />
    </>
  );
}

/** Renders a field with the control that its description needs. */
function FormField({ spec, field }: { spec: FieldSpec; field: FormSubmission["field"] }) {
  const { name, label, hint, optional, options, rows, placeholder, ...attributes } = spec;
  const bound = field(name);
  if (attributes.type === "checkbox") return <Checkbox {...bound.control} id={bound.id} label={label} />;
  if (options && !placeholder) return <RadioGroup {...bound} label={label} options={options} />;
  return (
    <Field {...bound} label={label} hint={hint} required={!optional}>
      {(control) => {
        if (options) return <Select {...control} options={options} placeholder={placeholder ?? ""} />;
        if (rows) return <Textarea {...control} rows={rows} />;
        return <Input {...control} {...attributes} placeholder={placeholder} />;
      }}
    </Field>
  );
}
