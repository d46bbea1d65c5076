"use client";

import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent } from "react";
import { useCaptcha } from "@/components/captcha/use-captcha";
import { PasteButton } from "@/components/flow/home/paste-button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { SubmitButton } from "@/components/ui/form/submit-button";
import type { CaptchaReply } from "@/lib/http/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { ApiError, postJson, visitorMessageOf } from "@/lib/client/api/fetch-json";
import { clearFlowValues, writeFlowValue } from "@/lib/client/browser/flow-storage";
import { createIdempotencyKey } from "@/lib/client/api/idempotency-key";
import { goTo } from "@/lib/client/browser/navigate";
import { takeIncomingText } from "@/lib/client/browser/incoming-text";
import { toast } from "@/lib/client/toast";
import { useSettledBlur } from "@/lib/client/hooks/use-settled-blur";
import { parseInstagramLink } from "@/lib/flow/instagram-link";
import { pages } from "@/lib/http/routes";
import { onOneLine } from "@/lib/flow/shared-text";

/** What is wrong with the link, and what to do instead where that is known. */
interface LinkProblem {
  message: string;
  hint?: string | null;
}

const clipboardClosed =
  "Your browser doesn't let us read the clipboard. Please paste the link into the field yourself.";
const noTextCame = "No text came along. Copy the link of your post and paste it here.";

/**
 * Step 1: the link of the post, the human check, and on. The link is checked on leaving the field, on sending, and when
 * it comes as a whole, by the button or the share menu; never while somebody types.
 */
export function LinkForm() {
  const [problem, setProblem] = useState<LinkProblem | null>(null);
  /** What to do where no text could be had: no fault of the visitor's, so no error. */
  const [hint, setHint] = useState<string | null>(null);
  /** Why it could not be sent. */
  const [failure, setFailure] = useState<string | null>(null);
  // Read where it stands: what was typed before the script was there, or restored by the browser, stays.
  const field = useRef<HTMLInputElement>(null);
  const typed = () => field.current?.value ?? "";

  function check(): boolean {
    const result = parseInstagramLink(typed());
    setProblem(result.ok ? null : result);
    setHint(null);
    return result.ok;
  }

  /** Puts a text that came as a whole into the field; true when it names a post. */
  function takeOver(text: string): boolean {
    const line = onOneLine(text);
    if (!field.current || !line) {
      setHint(noTextCame);
      return false;
    }
    field.current.value = line;
    return check();
  }

  const checkWhenLeft = useSettledBlur(() => {
    if (typed().trim()) check();
  });

  const begin = useEffectEvent(() => {
    // The server ends the flow with a visit of this page; so does the tab.
    clearFlowValues();
    const incoming = takeIncomingText();
    if (incoming !== null) takeOver(incoming);
  });
  useEffect(() => begin(), []);

  // Here, so that it finds the text that came along in the field: the form is in use.
  const humanCheck = useCaptcha({ underKey: false, onFailure: explain });

  /** On with the human check when all is well, which opens no keyboard on a phone; else back to the field. */
  function paste(text: string | null) {
    if (text === null) setHint(clipboardClosed);
    else if (takeOver(text)) return humanCheck.focus();
    field.current?.focus();
  }

  function send(event: SubmitEvent) {
    event.preventDefault();
    if (!check()) return field.current?.focus();
    const link = typed();
    setFailure(null);
    void humanCheck.send(async (token, fingerprint) => {
      await postJson<CaptchaReply>("/api/recaptcha/verify", { token, url: link }, { fingerprint });
      startFlow();
    });
  }

  function explain(error: unknown) {
    const linkError = error instanceof ApiError ? error.fields.url : undefined;
    if (linkError) {
      setProblem({ message: linkError });
      return field.current?.focus();
    }
    const description = visitorMessageOf(error, "We couldn't process your request. Please try again.");
    setFailure(description);
    toast({ variant: "destructive", title: "Error", description });
  }

  return (
    <form
      {...humanCheck.formProps}
      aria-label="Start with your link"
      onSubmit={send}
      className="flex flex-col gap-3.5"
    >
      <Field
        // Fixed, so that a link of the page can lead to it.
        id="post-link"
        label="Link of your Instagram post or reel"
        required
        hint={hint}
        error={problem && <LinkError problem={problem} />}
      >
        {(control) => (
          <div className="relative">
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
              placeholder="instagram.com/p/…"
              // A link that leads here shows the label as well. The button's place is kept free from the start.
              className="scroll-mt-20 pr-22"
            />
            <PasteButton onText={paste} className="absolute inset-y-1.5 right-1.5" />
          </div>
        )}
      </Field>
      {humanCheck.element}
      <SubmitButton sending={humanCheck.sending} words="Checking..." failure={failure}>
        Continue to Next Step
      </SubmitButton>
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

function startFlow() {
  clearFlowValues();
  // Here, so that a copy of the tab, at whatever step, asks about the same order.
  writeFlowValue("attempt", createIdempotencyKey());
  track("link_verified");
  goTo(`${pages.verification.path}/`);
}
