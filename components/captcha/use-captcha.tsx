"use client";

import { useRef, useState, type RefObject } from "react";
import { Captcha } from "@/components/captcha/captcha";
import type { CaptchaHandle } from "@/components/captcha/captcha-widget";
import { useFirstInteraction } from "@/components/captcha/use-first-interaction";
import type { DialogReason, VerificationDialog } from "@/components/captcha/verification-dialog";
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

/** Adds a captcha to a form. `send` does nothing during a request and after a successful request. */
export function useCaptcha({ hasIdempotencyKey, preload, onDialogOpen, onFailure }: UseCaptchaOptions) {
  const captcha = useRef<CaptchaHandle>(null);
  const [token, setToken] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const inFlight = useRef(false);
  const dialog = useVerificationDialog(captcha);

  const { touched, formProps } = useFirstInteraction(() => {
    // Loads the dialog and the browser's fingerprint early. After an error, `dialog.open` loads the dialog.
    loadDialog().catch(() => {});
    void getFingerprint();
    preload?.();
  });

  function setInFlight(value: boolean) {
    inFlight.current = value;
    setSending(value);
  }

  /** Resets the captcha and sets `sending` to false, so that the visitor can submit the form again. */
  function restart() {
    setInFlight(false);
    captcha.current?.reset();
  }
  usePageRestored(restart);

  function openDialog(reason: DialogReason) {
    onDialogOpen?.(reason);
    return dialog.open(reason);
  }

  /** Calls `post` with the token. Without a token, opens the dialog. After a success, `sending` stays true. */
  async function send(post: (token: string, fingerprint: string | null) => Promise<void>) {
    if (inFlight.current) return;
    if (!token) return openDialog("missing");
    setInFlight(true);
    try {
      await post(token, await getFingerprint());
    } catch (error) {
      setInFlight(false);
      const rejected = isTokenRejected(error);
      if (rejected || mayHaveUsedToken(error, hasIdempotencyKey)) captcha.current?.reset();
      if (rejected) return openDialog("rejected");
      onFailure(error);
    }
  }

  return {
    // Before hydration, method "get" would put the typed text into the URL. Method "dialog" sends nothing.
    formProps: { ...formProps, noValidate: true, method: "dialog" },
    /** The captcha and its dialog. The form renders this element above its submit button. */
    element: (
      <>
        <Captcha
          ref={captcha}
          active={touched}
          onToken={(newToken) => {
            setToken(newToken);
            if (newToken) dialog.dismiss();
          }}
        />
        {dialog.element ?? (dialog.failed && !token && <p role="alert">{requirement}</p>)}
      </>
    ),
    send,
    sending,
    restart,
    focus: () => captcha.current?.focus(),
  };
}

/** Returns true if the captcha token is the only part of the request that the server rejected. */
function isTokenRejected(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === "captcha_rejected" || Object.keys(error.fields).join() === "token";
}

const requirement = "Please complete the verification to continue.";

const loadDialog = () =>
  import("@/components/captcha/verification-dialog").then((module) => module.VerificationDialog);

/** Loads the verification dialog when `open` is called. A closed dialog focuses the captcha, which may still be at work. */
function useVerificationDialog(captcha: RefObject<CaptchaHandle | null>) {
  const [Dialog, setDialog] = useState<typeof VerificationDialog | null>(null);
  const [reason, setReason] = useState<DialogReason | null>(null);
  const [failed, setFailed] = useState(false);

  function close() {
    setReason(null);
    captcha.current?.focus();
  }

  return {
    dismiss: () => setReason(null),
    element: Dialog && <Dialog reason={reason} onClose={close} />,
    failed,
    async open(newReason: DialogReason) {
      try {
        const loaded = await loadDialog();
        setDialog(() => loaded);
        setReason(newReason);
      } catch {
        // After a new release, the dialog's script may be missing. A paragraph then shows the message.
        setFailed(true);
        captcha.current?.focus();
      }
    },
  };
}
