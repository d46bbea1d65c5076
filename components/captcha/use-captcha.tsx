"use client";

import { useRef, useState, type ComponentProps, type ReactNode, type RefObject } from "react";
import { Captcha, type CaptchaHandle } from "@/components/captcha/captcha";
import { useFirstInteraction, type InteractionProps } from "@/components/captcha/use-first-interaction";
import type { DialogReason, VerificationDialog } from "@/components/captcha/verification-dialog";
import { ApiError, mayHaveUsedToken } from "@/lib/client/api/fetch-json";
import { getFingerprint } from "@/lib/client/api/fingerprint";
import { toast } from "@/lib/client/toast";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";

export interface UseCaptchaOptions {
  /** True when the request carries an Idempotency-Key; see mayHaveUsedToken. */
  hasIdempotencyKey: boolean;
  /** Called once, at the first interaction. */
  preload?: () => void;
  /** Called when the dialog opens, because the captcha is missing or the server rejected the token. */
  onDialogOpen?: (reason: DialogReason) => void;
  /** Called when the request fails and the dialog stays closed. */
  onFailure: (error: unknown) => void;
}

type Post = (token: string, fingerprint: string | null) => Promise<void>;

export interface UseCaptchaResult {
  formProps: ComponentProps<"form"> & InteractionProps;
  /** The captcha with its dialog; render this element above the form's button. */
  element: ReactNode;
  /** Posts the form, or opens the dialog without a token. `sending` stays true after a success. */
  send: (post: Post) => Promise<void>;
  sending: boolean;
  /** Resets the captcha and `sending`, for another submission. */
  restart: () => void;
  focus: () => void;
}

/** Adds a captcha to a form, and sends each token only once despite repeated clicks. */
export function useCaptcha({
  hasIdempotencyKey,
  preload,
  onDialogOpen,
  onFailure,
}: UseCaptchaOptions): UseCaptchaResult {
  const captcha = useRef<CaptchaHandle>(null);
  const [token, setToken] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const inFlight = useRef(false);
  const dialog = useVerificationDialog(captcha);

  const { touched, formProps } = useFirstInteraction(() => {
    // Prefetches for the submission, which repeats a failed load.
    loadDialog().catch(() => {});
    void getFingerprint();
    preload?.();
  });

  function setInFlight(value: boolean) {
    inFlight.current = value;
    setSending(value);
  }

  function restart() {
    setInFlight(false);
    captcha.current?.reset();
  }
  usePageRestored(restart);

  function openDialog(reason: DialogReason) {
    onDialogOpen?.(reason);
    return dialog.open(reason);
  }

  async function send(post: Post) {
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
    // Before hydration, GET would put the typed text into the URL; method "dialog" does nothing.
    formProps: { ...formProps, noValidate: true, method: "dialog" },
    element: (
      <>
        <Captcha ref={captcha} active={touched} onToken={setToken} />
        {dialog.element}
      </>
    ),
    send,
    sending,
    restart,
    focus: () => captcha.current?.focus(),
  };
}

/** Checks whether the token is the only problem; errors of other fields have priority. */
function isTokenRejected(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === "captcha_rejected" || Object.keys(error.fields).join() === "token";
}

const loadDialog = () =>
  import("@/components/captcha/verification-dialog").then((module) => module.VerificationDialog);

/** Loads the verification dialog on demand. Closing the dialog resets and focuses the captcha. */
function useVerificationDialog(captcha: RefObject<CaptchaHandle | null>) {
  const [Dialog, setDialog] = useState<typeof VerificationDialog | null>(null);
  const [reason, setReason] = useState<DialogReason | null>(null);

  function close() {
    setReason(null);
    captcha.current?.reset();
    captcha.current?.focus();
  }

  return {
    element: Dialog && <Dialog reason={reason} onClose={close} />,
    async open(newReason: DialogReason) {
      try {
        const loaded = await loadDialog();
        setDialog(() => loaded);
        setReason(newReason);
      } catch {
        // The dialog's script may be missing after a new release, so a toast shows the message instead.
        toast({
          title: "Verification Required",
          description: "Please complete the verification to continue.",
        });
        captcha.current?.focus();
      }
    },
  };
}
