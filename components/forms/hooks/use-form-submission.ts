"use client";

import { useState, type SubmitEvent } from "react";
import {
  useForm,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormRegisterReturn,
} from "react-hook-form";
import type { z } from "zod";
import { useCaptcha, type UseCaptchaResult } from "@/components/captcha/use-captcha";
import { useIdempotentPost } from "@/components/forms/hooks/use-idempotent-post";
import { useFieldValidation } from "@/components/forms/hooks/use-field-validation";
import type { FormReply } from "@/lib/http/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { ApiError, failureReason, postJson, visitorMessageOf } from "@/lib/client/api/fetch-json";
import { toast } from "@/lib/client/toast";

type FormMoment = "submit" | "success" | "error" | "exception" | "missingCheck";

type FormSchema = z.ZodType<{ email: string }, FieldValues>;
type FormResolver<Schema extends FormSchema> = Resolver<z.input<Schema>, unknown, z.output<Schema>>;

/** What one form does with its data, and says about it. */
export interface FormConfig<Schema extends FormSchema> {
  /** Begins the ids of its controls: `contact` makes `contact-name`. */
  id: string;
  path: string;
  /** Fetches the checks of its fields. They are needed once the form is used, and not before. */
  loadResolver: () => Promise<FormResolver<Schema>>;
  /** The toast of a kept message. */
  success: { title: string; description: string };
  /** What then stands in place of the form, and stays. */
  kept: { title: string; next: string };
  /** The words of the toast "Error". */
  failure: string;
  /** The analytics events that it records. */
  events: Partial<Record<FormMoment, string>>;
}

/** Why a submission failed, in the words of the toast, and below them what else is known. */
export interface SubmissionFailure {
  words: string;
  cause: string | null;
}

export interface FormSubmission<Input extends FieldValues> {
  /** What the control of a field carries. */
  control: (name: Path<Input>) => UseFormRegisterReturn<Path<Input>>;
  /** What its Field carries: id and error. */
  field: (name: Path<Input>) => { id: string; error: string | undefined };
  /** What the last refused submission found and is still wrong. */
  summary: { fieldId: string; message: string }[];
  refusals: number;
  /** Of the last submission, unless its fields are to blame. */
  failure: SubmissionFailure | null;
  /** What to say of the message that was kept, and where answers to it go; null while there is a form to fill in. */
  kept: (FormConfig<FormSchema>["kept"] & { email: string }) | null;
  /** Shows the empty form again. */
  writeAnother: () => void;
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
  check: UseCaptchaResult;
}

/**
 * The life of a form: checked, human check asked for, sent once, and then cleared, with a word of success that takes its
 * place, or kept as it is with a word of failure.
 */
export function useFormSubmission<Schema extends FormSchema>(
  plan: FormConfig<Schema>,
): FormSubmission<z.input<Schema>> {
  type Input = z.input<Schema>;
  type Output = z.output<Schema>;
  // No default values: what was typed before the script was there, or restored by the browser, stays.
  const form = useForm<Input, unknown, Output>({
    mode: "onSubmit",
    reValidateMode: "onSubmit",
    shouldFocusError: false,
    resolver: whenLoaded(plan.loadResolver),
  });
  const { formState, getFieldState, getValues, handleSubmit, reset, setError } = form;
  const control = useFieldValidation(form);
  const attempt = useIdempotentPost();
  const [refused, setRefused] = useState<{ names: Path<Input>[]; count: number }>({ names: [], count: 0 });
  const [failure, setFailure] = useState<SubmissionFailure | null>(null);
  /** Where answers to the kept message go. */
  const [keptFor, setKeptFor] = useState<string | null>(null);
  const check = useCaptcha({
    underKey: true,
    // What cannot be had is tried again when it is needed.
    preload: () => void plan.loadResolver().catch(() => {}),
    onAsk: (why) => report(why === "missing" ? "missingCheck" : "error"),
    onFailure: explain,
  });

  const idOf = (name: string) => `${plan.id}-${name}`;
  const errorOf = (name: Path<Input>) => getFieldState(name, formState).error?.message;

  function report(moment: FormMoment) {
    const event = plan.events[moment];
    if (event) track(event, moment === "missingCheck" ? { level: "warning" } : {});
  }

  /** Which of the entries are about fields of this form. Both checks list them in the order of the schema. */
  function fieldsIn(entries: object): Path<Input>[] {
    const values = getValues();
    return (Object.keys(entries) as Path<Input>[]).filter((name) => name in values);
  }

  function refuse(wrong: Path<Input>[]) {
    setRefused(({ count }) => ({ names: wrong, count: count + 1 }));
  }

  function send(values: Output) {
    setFailure(null);
    return check.send(async (token, fingerprint) => {
      report("submit");
      const { success } = await attempt(values, (idempotencyKey) =>
        postJson<FormReply>(plan.path, { ...values, token }, { idempotencyKey, fingerprint }),
      );
      check.restart();
      if (success) succeed(values.email);
      else fail("error");
    });
  }

  function succeed(email: string) {
    report("success");
    reset();
    setRefused({ names: [], count: 0 });
    setKeptFor(email);
    toast({ variant: "success", ...plan.success });
  }

  function fail(moment: "error" | "exception", words = plan.failure, cause: string | null = null) {
    report(moment);
    setFailure({ words, cause });
    toast({ variant: "destructive", title: "Error", description: words });
  }

  function explain(error: unknown) {
    if (!(error instanceof ApiError) || error.status === 0) {
      return fail("exception", plan.failure, failureReason(error));
    }
    const wrong = fieldsIn(error.fields);
    if (wrong.length === 0) {
      // Trying again is of no use: the server says where to write instead.
      const isFull = error.code === "message_cap" || error.code === "inbox_full";
      if (isFull) return fail("error", visitorMessageOf(error, plan.failure));
      return fail("error", plan.failure, failureReason(error));
    }
    fail("error");
    // The summary says what is wrong, and has the focus.
    setFailure(null);
    for (const name of wrong) setError(name, { type: "server", message: error.fields[name] });
    refuse(wrong);
  }

  return {
    control,
    field: (name) => ({ id: idOf(name), error: errorOf(name) }),
    summary: refused.names.flatMap((name) => {
      const message = errorOf(name);
      return message ? [{ fieldId: idOf(name), message }] : [];
    }),
    refusals: refused.count,
    failure,
    kept: keptFor === null ? null : { ...plan.kept, email: keptFor },
    writeAnother: () => setKeptFor(null),
    submit: (event) => void handleSubmit(send, (errors) => refuse(fieldsIn(errors)))(event),
    check,
  };
}

/** Checks with what loads meanwhile. Where it cannot be had, the form is sent as it is: the server says the same words. */
function whenLoaded<Schema extends FormSchema>(
  load: () => Promise<FormResolver<Schema>>,
): FormResolver<Schema> {
  return async (values, context, options) => {
    const resolver = await load().catch(() => null);
    if (resolver) return resolver(values, context, options);
    return { values: values as unknown as z.output<Schema>, errors: {} };
  };
}
