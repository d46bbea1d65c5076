import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Captcha } from "@/components/captcha/captcha";
import type { CaptchaHandle } from "@/components/captcha/captcha-widget";
import { VerificationDialog, type DialogReason } from "@/components/captcha/verification-dialog";
import { ApiError, mayHaveUsedToken } from "@/lib/client/api/api-client";
import { getFingerprint } from "@/lib/client/api/fingerprint";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";

export interface UseCaptchaOptions {
  /** True if the form sends an Idempotency-Key. Such a form can send its token again after some errors. */
  hasIdempotencyKey: boolean;
  /** Called once, when the visitor first uses the form. */
  preload?: () => void;
  /** Called before the dialog opens. The dialog opens if the token is missing or rejected. */
  onDialogOpen?: (reason: DialogReason) => void;
  /** Called when the request fails for a reason other than a rejected token. */
  onFailure: (error: unknown) => void;
}

type Post = (token: string, fingerprint: string | null) => Promise<void>;

/** Adds a captcha to a form. `send` does nothing during a request and after a successful request. */
export function useCaptcha({ hasIdempotencyKey, preload, onDialogOpen, onFailure }: UseCaptchaOptions) {
  const captcha = useRef<CaptchaHandle>(null);
  /** Not a state: a press before React renders it would find no token, and open the dialog. */
  const token = useRef<string>(null);
  const [sending, setSending] = useState(false);
  const inFlight = useRef(false);
  /** The request that waits for the end of a check. */
  const waiting = useRef<Post>(null);
  const [dialog, setDialog] = useState<{ reason: DialogReason; open: boolean } | null>(null);
  const closeDialog = () => setDialog((current) => current && { ...current, open: false });

  const { touched, formProps } = useFirstInteraction(() => {
    void getFingerprint();
    preload?.();
  });

  function setInFlight(value: boolean) {
    inFlight.current = value;
    setSending(value);
  }

  /** Resets the captcha and sets `sending` to false, so that the visitor can submit the form again. */
  function restart() {
    waiting.current = null;
    setInFlight(false);
    captcha.current?.reset();
  }
  usePageRestored(restart);

  function openDialog(reason: DialogReason) {
    onDialogOpen?.(reason);
    setDialog({ reason, open: true });
  }

  /**
   * Calls `post` with the token, during a check after its end. Without a token or a check, opens the dialog. After a success,
   * `sending` stays true.
   */
  function send(post: Post) {
    if (inFlight.current) return;
    if (token.current) return void sendNow(post, token.current);
    if (!captcha.current?.isBusy()) return openDialog("missing");
    waiting.current = post;
    setInFlight(true);
  }

  function receiveToken(newToken: string | null) {
    token.current = newToken;
    if (newToken) closeDialog();
    const post = waiting.current;
    if (!post || (!newToken && captcha.current?.isBusy())) return;
    waiting.current = null;
    if (newToken) return void sendNow(post, newToken);
    setInFlight(false);
    openDialog("missing");
  }

  async function sendNow(post: Post, validToken: string) {
    setInFlight(true);
    try {
      await post(validToken, await getFingerprint());
    } catch (error) {
      setInFlight(false);
      const rejected = isTokenRejected(error);
      if (rejected || mayHaveUsedToken(error, hasIdempotencyKey)) captcha.current?.reset();
      if (rejected) return openDialog("rejected");
      onFailure(error);
    }
  }

  function finishDialog() {
    closeDialog();
    // The captcha may still be at work.
    captcha.current?.focus();
  }

  return {
    // Before hydration, method "get" would put the typed text into the URL. Method "dialog" sends nothing.
    formProps: { ...formProps, noValidate: true, method: "dialog" },
    /** The captcha and its dialog. The form renders this element above its submit button. */
    element: (
      <>
        <Captcha ref={captcha} active={touched} onToken={receiveToken} />
        {dialog && <VerificationDialog {...dialog} onClose={finishDialog} />}
      </>
    ),
    send,
    sending,
    restart,
    focus: () => captcha.current?.focus(),
    start: () => captcha.current?.start(),
  };
}

/** Returns true if the captcha token is the only part of the request that the server rejected. */
function isTokenRejected(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === "captcha_rejected" || Object.keys(error.fields).join() === "token";
}

/** Calls `prepare` once: on first focus or press in the form, or on mount if that was before hydration. */
function useFirstInteraction(prepare: () => void) {
  const [touched, setTouched] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function touch() {
    if (touched) return;
    setTouched(true);
    prepare();
  }

  const touchIfInUse = useEffectEvent(() => {
    if (form.current && isInUse(form.current)) touch();
  });
  useEffect(() => touchIfInUse(), []);

  return { touched, formProps: { ref: form, onFocus: touch, onPointerEnter: touch, onPointerDown: touch } };
}

/** Returns true if the form has the focus or contains text that the visitor typed before hydration. */
function isInUse(form: HTMLFormElement): boolean {
  // Excludes checkboxes. Their `value` is "on" and their `defaultValue` is "", so they would look changed.
  const textFields = "input:not([type=checkbox]), textarea";
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(textFields)];
  return (
    form.contains(document.activeElement) || fields.some(({ value, defaultValue }) => value !== defaultValue)
  );
}
