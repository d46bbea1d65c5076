"use client";

import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";
import { Captcha, type CaptchaHandle } from "@/components/captcha/captcha";
import { useVerificationDialog } from "@/components/captcha/use-verification-dialog";
import { useFirstTouch } from "@/components/forms/use-first-touch";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { CaptchaReply } from "@/lib/api-types";
import { track } from "@/lib/client/analytics";
import { ApiError, postJson, visitorMessageOf } from "@/lib/client/fetch-json";
import { getFingerprint } from "@/lib/client/fingerprint";
import { clearFlowValues, writeFlowValue } from "@/lib/client/flow-storage";
import { goTo } from "@/lib/client/navigate";
import { takeIncomingText } from "@/lib/client/incoming-text";
import { toast } from "@/lib/client/toast";
import { usePageRestored } from "@/lib/client/use-page-restored";
import { useSettledBlur } from "@/lib/client/use-settled-blur";
import { canonicalLink, parseInstagramLink } from "@/lib/instagram-link";
import { pages } from "@/lib/routes";

/** What is wrong with the link, and what to do instead where that is known. */
interface LinkProblem {
  message: string;
  hint?: string | null;
}

export interface LinkFormProps {
  /** Today's likes are used up: the form stays, but it cannot be sent. */
  limitReached: boolean;
}

/** Step 1: the link of the post, the human check, and on. The link is checked on leaving the field and on sending. */
export function LinkForm({ limitReached }: LinkFormProps) {
  const id = useId();
  const captcha = useRef<CaptchaHandle>(null);
  const [token, setToken] = useState<string | null>(null);
  const dialog = useVerificationDialog(captcha);
  const [sending, setSending] = useState(false);
  const underWay = useRef(false);
  const [problem, setProblem] = useState<LinkProblem | null>(null);
  // Read where it stands: what was typed before the script was there, or restored by the browser, stays.
  const field = useRef<HTMLInputElement>(null);
  const typed = () => field.current?.value ?? "";

  function check(): boolean {
    const result = parseInstagramLink(typed());
    setProblem(result.ok ? null : result);
    return result.ok;
  }

  const checkWhenLeft = useSettledBlur(() => {
    if (typed().trim()) check();
  });

  useEffect(() => {
    // The server ends the flow with a visit of this page; so does the tab.
    clearFlowValues();
    const incoming = takeIncomingText();
    if (incoming && field.current) field.current.value = incoming;
  }, []);

  usePageRestored(() => {
    underWay.current = false;
    setSending(false);
    captcha.current?.reset();
  });

  const { touched, formProps } = useFirstTouch(() => {
    // Both are needed at the press of the button, which should not wait for them.
    dialog.preload();
    void getFingerprint();
  });

  async function send(event: SubmitEvent) {
    event.preventDefault();
    if (!check()) return field.current?.focus();
    if (underWay.current || limitReached) return;
    if (!token) return dialog.open();
    const link = typed();
    underWay.current = true;
    setSending(true);
    try {
      const fingerprint = await getFingerprint();
      await postJson<CaptchaReply>("/api/recaptcha/verify", { token, url: link }, { fingerprint });
      startFlow(link);
    } catch (error) {
      underWay.current = false;
      setSending(false);
      explain(error);
    }
  }

  function explain(error: unknown) {
    const status = error instanceof ApiError ? error.status : 0;
    const linkError = error instanceof ApiError ? error.fields.url : undefined;
    if (error instanceof ApiError && error.code === "captcha_rejected") {
      captcha.current?.reset();
      return void dialog.open();
    }
    if (linkError) {
      setProblem({ message: linkError });
      return field.current?.focus();
    }
    toast({
      variant: "destructive",
      title: "Error",
      description: visitorMessageOf(error, "We couldn't process your request. Please try again."),
    });
    // In these cases the server may have used the token.
    if (status === 0 || status === 429 || status >= 500) captcha.current?.reset();
  }

  return (
    <form
      {...formProps}
      noValidate
      // Before the script is there, a press on the button would put the link into the address: see form-frame.tsx.
      method="dialog"
      aria-label="Start with your link"
      onSubmit={(event) => void send(event)}
      className="flex flex-col gap-3.5"
    >
      <Field
        // Fixed, so that a link of the page can lead to it.
        id="post-link"
        label="Link of your Instagram post or reel"
        required
        error={problem && <LinkError problem={problem} />}
      >
        {(control) => (
          <Input
            {...control}
            ref={field}
            name="link"
            type="text"
            onBlur={checkWhenLeft}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            placeholder="https://www.instagram.com/p/…"
            // A link that leads here shows the label as well.
            className="scroll-mt-20"
          />
        )}
      </Field>
      <Captcha ref={captcha} active={touched} onToken={setToken} />
      <Button
        type="submit"
        size="lg"
        loading={sending}
        disabled={limitReached}
        aria-describedby={limitReached ? `${id}reason` : undefined}
      >
        {sending ? "Checking..." : "Continue to Next Step"}
      </Button>
      {limitReached && (
        <p id={`${id}reason`} className="text-sm text-muted-foreground">
          All free likes of today are used. You can continue as soon as the daily limit resets at 00:00 GMT.
        </p>
      )}
      {dialog.Dialog && <dialog.Dialog {...dialog.props} />}
    </form>
  );
}

function LinkError({ problem: { message, hint } }: { problem: LinkProblem }) {
  return (
    <>
      <span>{message}</span>
      {hint && <span className="block font-normal text-foreground">{hint}</span>}
    </>
  );
}

function startFlow(link: string) {
  const result = parseInstagramLink(link);
  clearFlowValues();
  if (result.ok) writeFlowValue("link", canonicalLink(result.post));
  track("link_verified");
  goTo(`${pages.verification.path}/`);
}
