"use client";

import { useState, type SubmitEvent } from "react";
import {
  useForm,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  type UseFormRegisterReturn,
} from "react-hook-form";
import type * as z from "zod/mini";
import { useCaptcha } from "@/components/captcha/use-captcha";
import { useIdempotentPost } from "@/components/forms/hooks/use-idempotent-post";
import { useFieldValidation } from "@/components/forms/hooks/use-field-validation";
import type { FormReply } from "@/lib/schemas/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { ApiError, failureReason, postJson } from "@/lib/client/api/api-client";
import { toast } from "@/lib/client/toast-store";

type FormEvent = "submit" | "success" | "error" | "exception" | "missing_captcha";

type FormSchema = z.ZodMiniType<{ email: string }, FieldValues>;
type FormResolver<Schema extends FormSchema> = Resolver<z.input<Schema>, unknown, z.output<Schema>>;

/** Configuration of one form: its id, texts and analytics events. */
export interface FormConfig<Schema extends FormSchema> {
  /** Part of the API path (/api/contact/submit), of element ids (contact-name) and of analytics events. */
  id: "contact" | "feedback" | "issue";
  /** Imports the validation code. The form calls this function when the visitor starts to use the form. */
  loadResolver: () => Promise<FormResolver<Schema>>;
  /** Texts of the toast that appears after the server has stored the message. */
  success: { title: string; description: string };
  /** Texts of the confirmation that replaces the form. */
  confirmation: { title: string; next: string };
  /** Text for a failed submission, in the toast and below the submit button. */
  failure: string;
  /** Analytics events that the form sends. For example, "submit" sends the event "contact_form_submit". */
  events: readonly FormEvent[];
}

/** Error message of a failed submission. `cause` is the reason, or null if the reason is unknown. */
interface SubmissionFailure {
  message: string;
  cause: string | null;
}

/** Props for the component of a field. `announced` is false if the summary, which gets the focus, has the error. */
export interface BoundField {
  id: string;
  error: string | undefined;
  announced: boolean;
  control: UseFormRegisterReturn;
}

/** State and functions of a form. */
export type FormSubmission = ReturnType<typeof useFormSubmission>;

/** Manages a form: validates the fields, requires a captcha token, posts the data and shows the result. */
export function useFormSubmission<Schema extends FormSchema>(config: FormConfig<Schema>) {
  type Input = z.input<Schema>;
  type Output = z.output<Schema>;
  // Sets no default values, because default values would overwrite text that was typed before hydration.
  const form = useForm<Input, unknown, Output>({
    mode: "onSubmit",
    reValidateMode: "onSubmit",
    shouldFocusError: false,
    resolver: lazyResolver(config.loadResolver, () => captcha.formProps.ref.current),
  });
  const { formState, getFieldState, getValues, handleSubmit, reset, setError, setValue } = form;
  const post = useIdempotentPost();
  const [rejected, setRejected] = useState<{ names: Path<Input>[]; count: number }>({ names: [], count: 0 });
  const control = useFieldValidation(form, (name) =>
    setRejected(({ names, count }) => ({ names: names.filter((each) => each !== name), count })),
  );
  /** Failure of the last submission. Null if there is no failure, or if `summary` shows field errors. */
  const [failure, setFailure] = useState<SubmissionFailure | null>(null);
  const [confirmed, setConfirmed] = useState<{ email: string; height?: number } | null>(null);
  const captcha = useCaptcha({
    hasIdempotencyKey: true,
    // Ignores an error here, because the first validation downloads the resolver again.
    preload: () => void config.loadResolver().catch(() => {}),
    onDialogOpen: (why) => report(why === "missing" ? "missing_captcha" : "error"),
    onFailure: handleError,
  });

  const idOf = (name: string) => `${config.id}-${name}`;
  const errorOf = (name: Path<Input>) => getFieldState(name, formState).error?.message;

  function report(event: FormEvent) {
    if (!config.events.includes(event)) return;
    track(`${config.id}_form_${event}`, event === "missing_captcha" ? { level: "warning" } : {});
  }

  /** Returns the keys of `errors` that are field names of this form, in the order of `errors`. */
  function fieldsIn(errors: object): Path<Input>[] {
    const values = getValues();
    return (Object.keys(errors) as Path<Input>[]).filter((name) => name in values);
  }

  function reject(names: Path<Input>[]) {
    setRejected(({ count }) => ({ names, count: count + 1 }));
  }

  function send(values: Output) {
    setFailure(null);
    return captcha.send(async (token, fingerprint) => {
      report("submit");
      const { success } = await post(values, (idempotencyKey) =>
        postJson<FormReply>(
          `/api/${config.id}/submit`,
          { ...values, token },
          { idempotencyKey, fingerprint },
        ),
      );
      captcha.restart();
      if (success) succeed(values.email);
      else fail("error");
    });
  }

  function succeed(email: string) {
    report("success");
    reset();
    setRejected({ names: [], count: 0 });
    setConfirmed({ email, height: captcha.formProps.ref.current?.offsetHeight });
    toast({ variant: "success", ...config.success });
  }

  function fail(event: "error" | "exception", cause: string | null = null) {
    report(event);
    setFailure({ message: config.failure, cause });
    toast({ variant: "destructive", title: "Error", description: config.failure });
  }

  function handleError(error: unknown) {
    if (!(error instanceof ApiError) || error.status === 0) {
      return fail("exception", failureReason(error));
    }
    const invalid = fieldsIn(error.fields);
    if (invalid.length === 0) return fail("error", failureReason(error));
    fail("error");
    // The error summary shows the field errors, so the message below the submit button is not needed.
    setFailure(null);
    for (const name of invalid) setError(name, { type: "server", message: error.fields[name] });
    reject(invalid);
  }

  return {
    field: (name: Path<Input>): BoundField => ({
      id: idOf(name),
      error: errorOf(name),
      announced: !rejected.names.includes(name),
      control: control(name),
    }),
    /** Writes a value into a field, unless the visitor has already filled it. */
    fill: <Name extends Path<Input>>(name: Name, value: PathValue<Input, Name>) => {
      if (!readInput(getValues(), captcha.formProps.ref.current)[name]) setValue(name, value);
    },
    /** Field errors of the last rejected submission, without the errors that the visitor has corrected. */
    summary: rejected.names.flatMap((name) => {
      const message = errorOf(name);
      return message ? [{ fieldId: idOf(name), message }] : [];
    }),
    rejectionCount: rejected.count,
    failure,
    /** Props of the confirmation. Null while the form is visible. */
    confirmation: confirmed && { ...config.confirmation, ...confirmed },
    showEmptyForm: () => setConfirmed(null),
    submit: (event: SubmitEvent<HTMLFormElement>) =>
      void handleSubmit(send, (errors) => reject(fieldsIn(errors)))(event),
    captcha,
  };
}

/** Returns a resolver that loads the validation code. If the download fails, only the server validates. */
function lazyResolver<Schema extends FormSchema>(
  load: () => Promise<FormResolver<Schema>>,
  findForm: () => HTMLFormElement | null,
): FormResolver<Schema> {
  return async (known, context, options) => {
    const values = readInput(known, findForm());
    const resolver = await load().catch(() => null);
    if (resolver) return resolver(values, context, options);
    return { values: values as unknown as z.output<Schema>, errors: {} };
  };
}

/** Returns the values in the form, which password managers and browsers change without events. */
function readInput<Values extends FieldValues>(known: Values, form: HTMLFormElement | null): Values {
  const input = new FormData(form ?? undefined);
  const read = ([name, value]: [string, unknown]) =>
    [name, typeof value === "boolean" ? input.has(name) : (input.get(name) ?? value)] as const;
  return Object.fromEntries(Object.entries(known).map(read)) as Values;
}
