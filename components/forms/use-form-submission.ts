"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useRef, useState, type RefObject, type SubmitEvent } from "react";
import { useForm, type FieldValues, type Path, type UseFormRegisterReturn } from "react-hook-form";
import type { z } from "zod";
import type { CaptchaHandle } from "@/components/captcha/captcha";
import { isDefiniteFailure, useAttemptKey } from "@/components/forms/use-attempt-key";
import { useFieldChecks } from "@/components/forms/use-field-checks";
import {
  useVerificationDialog,
  type VerificationDialogState,
} from "@/components/captcha/use-verification-dialog";
import type { FormReply } from "@/lib/api-types";
import { track } from "@/lib/client/analytics";
import { ApiError, postJson } from "@/lib/client/fetch-json";
import { getFingerprint } from "@/lib/client/fingerprint";
import { toast } from "@/lib/client/toast";
import { usePageRestored } from "@/lib/client/use-page-restored";

type FormMoment = "submit" | "success" | "error" | "exception" | "missingCheck";

/** What one form does with its data, and says about it. */
export interface FormPlan {
  /** Begins the ids of its controls: `contact` makes `contact-name`. */
  id: string;
  path: string;
  /** The toast of a kept message. */
  success: { title: string; description: string };
  /** The words of the toast "Error". */
  failure: string;
  /** The analytics events that it records. */
  events: Partial<Record<FormMoment, string>>;
}

export interface FormSubmission<Input extends FieldValues> {
  /** What the control of a field carries. */
  control: (name: Path<Input>) => UseFormRegisterReturn<Path<Input>>;
  /** What its Field carries: id and error. */
  field: (name: Path<Input>) => { id: string; error: string | undefined };
  /** What the last refused submission found and is still wrong. */
  summary: { fieldId: string; message: string }[];
  refusals: number;
  sending: boolean;
  /** The form is being used: the check may load. */
  touched: boolean;
  touch: () => void;
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
  captcha: RefObject<CaptchaHandle | null>;
  onToken: (token: string | null) => void;
  dialog: VerificationDialogState;
}

/**
 * The life of a form: checked, human check asked for, sent once, and then cleared with a word of success, or kept as it
 * is with a word of failure.
 */
export function useFormSubmission<Input extends FieldValues, Output extends object>(
  schema: z.ZodType<Output, Input> & { shape: object },
  plan: FormPlan,
): FormSubmission<Input> {
  // No default values: what was typed before the script was there, or restored by the browser, stays.
  const form = useForm<Input, unknown, Output>({
    mode: "onSubmit",
    reValidateMode: "onSubmit",
    shouldFocusError: false,
    resolver: zodResolver(schema),
  });
  const { formState, getFieldState, handleSubmit, reset, setError } = form;
  const control = useFieldChecks(form);
  const captcha = useRef<CaptchaHandle>(null);
  const dialog = useVerificationDialog(captcha);
  const attempt = useAttemptKey();
  const [token, setToken] = useState<string | null>(null);
  const [touched, setTouched] = useState(false);
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<{ names: string[]; count: number }>({ names: [], count: 0 });
  const underWay = useRef(false);
  const names = Object.keys(schema.shape) as Path<Input>[];

  const idOf = (name: string) => `${plan.id}-${name}`;
  const errorOf = (name: Path<Input>) => getFieldState(name, formState).error?.message;

  function settle() {
    underWay.current = false;
    setSending(false);
  }

  usePageRestored(() => {
    settle();
    captcha.current?.reset();
  });

  function touch() {
    if (touched) return;
    setTouched(true);
    dialog.preload();
    void getFingerprint();
  }

  function report(moment: FormMoment) {
    const event = plan.events[moment];
    if (event) track(event, moment === "missingCheck" ? { level: "warning" } : {});
  }

  function refuse(wrong: string[]) {
    setRefused(({ count }) => ({ names: wrong, count: count + 1 }));
  }

  async function send(values: Output) {
    if (underWay.current) return;
    if (!token) {
      report("missingCheck");
      return dialog.open();
    }
    underWay.current = true;
    setSending(true);
    report("submit");
    try {
      const fingerprint = await getFingerprint();
      const idempotencyKey = attempt.keyFor(values);
      const body = { ...values, token };
      const { success } = await postJson<FormReply>(plan.path, body, { idempotencyKey, fingerprint });
      attempt.finish();
      if (success) succeed();
      else fail("error", true);
    } catch (error) {
      if (isDefiniteFailure(error)) attempt.finish();
      explain(error);
    } finally {
      settle();
    }
  }

  function succeed() {
    report("success");
    reset();
    setRefused({ names: [], count: 0 });
    captcha.current?.reset();
    toast({ variant: "success", ...plan.success });
  }

  function fail(moment: "error" | "exception", tokenUsed: boolean) {
    report(moment);
    if (tokenUsed) captcha.current?.reset();
    toast({ variant: "destructive", title: "Error", description: plan.failure });
  }

  function explain(error: unknown) {
    if (!(error instanceof ApiError) || error.status === 0) {
      // The token may not have arrived; if it did, the same request again gets the answer that was lost.
      return fail("exception", false);
    }
    const wrong = names.filter((name) => error.fields[name] !== undefined);
    if (error.code === "captcha_rejected" || (error.fields.token && wrong.length === 0)) {
      report("error");
      captcha.current?.reset();
      return void dialog.open();
    }
    // Below 400 and from 500 on the server may have used the token; in between it answered before.
    if (wrong.length === 0) return fail("error", error.status < 400 || error.status >= 500);
    report("error");
    for (const name of wrong) setError(name, { type: "server", message: error.fields[name] });
    refuse(wrong);
  }

  return {
    control,
    field: (name) => ({ id: idOf(name), error: errorOf(name) }),
    summary: names.flatMap((name) => {
      const message = refused.names.includes(name) ? errorOf(name) : undefined;
      return message ? [{ fieldId: idOf(name), message }] : [];
    }),
    refusals: refused.count,
    sending,
    touched,
    touch,
    submit: (event) => void handleSubmit(send, (errors) => refuse(Object.keys(errors)))(event),
    captcha,
    onToken: setToken,
    dialog,
  };
}
