"use client";

import { useRef, useState, type ChangeEvent, type SubmitEvent } from "react";
import { useForm, type FieldValues, type Resolver, type UseFormReturn } from "react-hook-form";
import { useCaptcha } from "@/components/captcha/use-captcha";
import { forms } from "@/components/forms/forms";
import type { FormReply } from "@/lib/schemas/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { ApiError, failureReason, mayHaveSucceeded, postJson } from "@/lib/client/api/api-client";
import { createIdempotencyKey } from "@/lib/client/browser/interfaces";
import { useSettledBlur } from "@/lib/client/hooks/use-settled-blur";
import { toast } from "@/lib/client/toast-store";

type FormEvent = "submit" | "success" | "error" | "exception" | "missing_captcha";

/** State and functions of a form. */
export type FormSubmission = ReturnType<typeof useFormSubmission>;

/** Manages a form: validates the fields, requires a captcha token, posts the data and shows the result. */
export function useFormSubmission(id: keyof typeof forms) {
  const texts = forms[id];
  const loadResolver = () =>
    import("@/components/forms/resolvers").then(({ resolvers }) => resolvers[id] as unknown as Resolver);
  // Sets no default values, because default values would overwrite text that was typed before hydration.
  const form = useForm({
    mode: "onSubmit",
    reValidateMode: "onSubmit",
    shouldFocusError: false,
    // If the validation code does not load, only the server validates.
    resolver: async (known, context, options) => {
      const values = readInput(known, captcha.formProps.ref.current);
      const resolver = await loadResolver().catch(() => null);
      return resolver ? resolver(values, context, options) : { values, errors: {} };
    },
  });
  const { formState, getFieldState, getValues, handleSubmit, reset, setError, setValue } = form;
  const post = useIdempotentPost();
  const [rejected, setRejected] = useState<{ names: string[]; count: number }>({ names: [], count: 0 });
  const control = useFieldValidation(form, (name) =>
    setRejected(({ names, count }) => ({ names: names.filter((each) => each !== name), count })),
  );
  /** Failure of the last submission. `cause` is null if it is unknown. Null if `summary` shows field errors. */
  const [failure, setFailure] = useState<{ message: string; cause: string | null } | null>(null);
  const [confirmed, setConfirmed] = useState<{ email: string; height?: number } | null>(null);
  const captcha = useCaptcha({
    hasIdempotencyKey: true,
    // Ignores an error here, because the first validation downloads the resolver again.
    preload: () => void loadResolver().catch(() => {}),
    onDialogOpen: (why) => report(why === "missing" ? "missing_captcha" : "error"),
    onFailure: handleError,
  });

  const idOf = (name: string) => `${id}-${name}`;
  const errorOf = (name: string) => getFieldState(name, formState).error?.message;

  /** Sends an analytics event, for example "contact_form_submit". Only the contact form sends all of them. */
  function report(event: FormEvent) {
    const isWarning = event === "missing_captcha";
    if (isWarning || id === "contact") track(`${id}_form_${event}`, isWarning ? { level: "warning" } : {});
  }

  /** Returns the keys of `errors` that are field names of this form, in the order of `errors`. */
  function fieldsIn(errors: object): string[] {
    const values = getValues();
    return Object.keys(errors).filter((name) => name in values);
  }

  function reject(names: string[]) {
    setRejected(({ count }) => ({ names, count: count + 1 }));
  }

  function send(values: FieldValues) {
    setFailure(null);
    return captcha.send(async (token, fingerprint) => {
      report("submit");
      const { success } = await post(values, (idempotencyKey) =>
        postJson<FormReply>(`/api/${id}/submit`, { ...values, token }, { idempotencyKey, fingerprint }),
      );
      captcha.restart();
      if (success) succeed(values.email as string);
      else fail("error");
    });
  }

  function succeed(email: string) {
    report("success");
    reset();
    setRejected({ names: [], count: 0 });
    setConfirmed({ email, height: captcha.formProps.ref.current?.offsetHeight });
    toast({ variant: "success", ...texts.success });
  }

  function fail(event: "error" | "exception", cause: string | null = null) {
    report(event);
    setFailure({ message: texts.failure, cause });
    toast({ variant: "destructive", title: "Error", description: texts.failure });
  }

  function handleError(error: unknown) {
    if (!(error instanceof ApiError) || error.status === 0) return fail("exception", failureReason(error));
    const invalid = fieldsIn(error.fields);
    if (invalid.length === 0) return fail("error", failureReason(error));
    fail("error");
    // The error summary shows the field errors, so the message below the submit button is not needed.
    setFailure(null);
    for (const name of invalid) setError(name, { type: "server", message: error.fields[name] });
    reject(invalid);
  }

  return {
    /** Returns the props of a field. `announced` is false if the summary, which gets the focus, has the error. */
    field: (name: string) => ({
      id: idOf(name),
      error: errorOf(name),
      announced: !rejected.names.includes(name),
      control: control(name),
    }),
    /** Writes a value into a field, unless the visitor has already filled it. */
    fill: (name: string, value: string) => {
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
    confirmation: confirmed && { ...texts.confirmation, ...confirmed },
    showEmptyForm: () => setConfirmed(null),
    submit: (event: SubmitEvent<HTMLFormElement>) =>
      void handleSubmit(send, (errors) => reject(fieldsIn(errors)))(event),
    captcha,
  };
}

/** Types of controls that visitors change with one click. Excludes text fields, which need many changes. */
const choiceTypes = new Set(["select-one", "radio", "checkbox"]);

/**
 * Returns a `register` function that validates a changed field when the field loses focus. If a select, radio
 * button or checkbox has an error, the function also validates the control at every change. Calls `onValid` when a
 * validated field has no error.
 */
function useFieldValidation(
  { register, trigger, getFieldState }: UseFormReturn,
  onValid: (name: string) => void,
) {
  const changed = useRef(new Set<string>());

  const check = (name: string) => void trigger(name).then((valid) => valid && onValid(name));
  const validate = useSettledBlur((name: string) => changed.current.delete(name) && check(name));

  function handleChange(name: string, control: HTMLInputElement) {
    changed.current.add(name);
    if (choiceTypes.has(control.type) && getFieldState(name).error) check(name);
  }

  return (name: string) =>
    register(name, {
      onChange: (event: ChangeEvent<HTMLInputElement>) => handleChange(name, event.target),
      onBlur: () => validate(name),
    });
}

/** Returns a function that posts data. A retry keeps its Idempotency-Key if the data has not changed. */
function useIdempotentPost() {
  const pending = useRef<{ body: string; key: string } | null>(null);
  return async <Reply>(data: unknown, post: (idempotencyKey: string) => Promise<Reply>) => {
    const body = JSON.stringify(data);
    if (pending.current?.body !== body) pending.current = { body, key: createIdempotencyKey() };
    try {
      const reply = await post(pending.current.key);
      pending.current = null;
      return reply;
    } catch (error) {
      // The server did not store the message, so the next attempt uses a new key.
      if (!mayHaveSucceeded(error)) pending.current = null;
      throw error;
    }
  };
}

/** Returns the values in the form, which password managers and browsers change without events. */
function readInput(known: FieldValues, form: HTMLFormElement | null): FieldValues {
  const input = new FormData(form ?? undefined);
  const read = ([name, value]: [string, unknown]) =>
    [name, typeof value === "boolean" ? input.has(name) : (input.get(name) ?? value)] as const;
  return Object.fromEntries(Object.entries(known).map(read));
}
