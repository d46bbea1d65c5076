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
  /** What is posted carries an Idempotency-Key; see maybeSpentToken. */
  underKey: boolean;
  /** Fetches ahead what else the form needs at the press of its button. */
  preload?: () => void;
  /** The dialog opens: the check is missing, or the server rejected it. */
  onAsk?: (why: DialogReason) => void;
  /** The post failed in another way. */
  onFailure: (error: unknown) => void;
}

type Post = (token: string, fingerprint: string | null) => Promise<void>;

export interface UseCaptchaResult {
  /** For the form element. */
  formProps: ComponentProps<"form"> & InteractionProps;
  /** The check, for the place above the form's button, with its dialog. */
  element: ReactNode;
  /** Posts with the token and the browser's fingerprint, or asks for the check. After a success it is still sending. */
  send: (post: Post) => Promise<void>;
  sending: boolean;
  /** For another message: the button can be pressed, and a new token is needed. */
  restart: () => void;
  focus: () => void;
}

/**
 * A form with a human check: it loads when the form is used, is asked for when it is missing, and its token goes out once,
 * however often the button is pressed.
 */
export function useCaptcha({ underKey, preload, onAsk, onFailure }: UseCaptchaOptions): UseCaptchaResult {
  const captcha = useRef<CaptchaHandle>(null);
  const [token, setToken] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const underWay = useRef(false);
  const dialog = useVerificationDialog(captcha);

  const { touched, formProps } = useFirstInteraction(() => {
    // Needed at the press of the button, which should not wait for them; what fails is tried again then.
    loadDialog().catch(() => {});
    void getFingerprint();
    preload?.();
  });

  function setUnderWay(value: boolean) {
    underWay.current = value;
    setSending(value);
  }

  function restart() {
    setUnderWay(false);
    captcha.current?.reset();
  }
  usePageRestored(restart);

  function ask(why: DialogReason) {
    onAsk?.(why);
    return dialog.open(why);
  }

  async function send(post: Post) {
    if (underWay.current) return;
    if (!token) return ask("missing");
    setUnderWay(true);
    try {
      await post(token, await getFingerprint());
    } catch (error) {
      setUnderWay(false);
      const rejected = isRejection(error);
      if (rejected || mayHaveUsedToken(error, underKey)) captcha.current?.reset();
      if (rejected) return ask("rejected");
      onFailure(error);
    }
  }

  return {
    // Before the script is there, a press on the button would put what was typed into the address: with this method
    // nothing happens outside of a dialog.
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

/** The server wants another token; what else is wrong with the fields comes first. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === "captcha_rejected" || Object.keys(error.fields).join() === "token";
}

const loadDialog = () =>
  import("@/components/captcha/verification-dialog").then((module) => module.VerificationDialog);

/** The dialog that asks for the check. It loads when it is needed; closing it resets the check and leads there. */
function useVerificationDialog(captcha: RefObject<CaptchaHandle | null>) {
  const [Dialog, setDialog] = useState<typeof VerificationDialog | null>(null);
  /** Open as long as there is a reason. */
  const [why, setWhy] = useState<DialogReason | null>(null);

  function close() {
    setWhy(null);
    captcha.current?.reset();
    captcha.current?.focus();
  }

  return {
    element: Dialog && <Dialog why={why} onClose={close} />,
    async open(reason: DialogReason) {
      try {
        const loaded = await loadDialog();
        setDialog(() => loaded);
        setWhy(reason);
      } catch {
        // Its file is gone, say after a new release: the same words in another way.
        toast({
          title: "Verification Required",
          description: "Please complete the verification to continue.",
        });
        captcha.current?.focus();
      }
    },
  };
}
