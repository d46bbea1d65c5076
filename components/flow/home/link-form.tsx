import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type SubmitEvent } from "react";
import { useCaptcha } from "@/components/captcha/use-captcha";
import { Agreement } from "@/components/content/agreement";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { SubmitButton } from "@/components/ui/form/submit-button";
import type { CaptchaReply } from "@/lib/schemas/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { ApiError, postJson, getVisitorMessage } from "@/lib/client/api/api-client";
import { isCaptchaReply } from "@/lib/client/browser/shapes";
import { clearFlowValues, takeIncomingText, writeFlowValue } from "@/lib/client/browser/flow";
import {
  canReadClipboard,
  createIdempotencyKey,
  queryClipboard,
  readClipboard,
} from "@/lib/client/browser/interfaces";
import { goTo } from "@/lib/client/browser/navigate";
import { toast } from "@/lib/client/toast-store";
import { useSettledBlur } from "@/lib/client/hooks/use-settled-blur";
import { parseInstagramLink, type InstagramPost } from "@/lib/flow/instagram-link";
import { canonicalLink } from "@/lib/flow/post-links";
import { pages } from "@/lib/http/pages";
import { collapseWhitespace } from "@/lib/flow/shared-text";

const clipboardDenied =
  "Your browser doesn't let us read the clipboard. Please paste the link into the field yourself.";
const noTextReceived = "No text came along. Copy the link of your post and paste it here.";

/** `hint` is optional advice. `announced` is false if the focus moves to the field. */
type Problem = { message: string; hint?: string | null; announced: boolean };

export interface LinkFormProps {
  operatorName?: string;
  /** The form shows them below the button, with closed answers. */
  questions: { question: string; answer: string }[];
  /** True if the visitor has to wait, and the button is not the main action. */
  quiet?: boolean;
}

/**
 * Renders the form of step 1. Validates the link when the field loses focus, on submit, and when the visitor
 * presses "Paste" or shares a link from another app. Never validates while the visitor types.
 */
export function LinkForm({ operatorName, questions, quiet }: LinkFormProps) {
  /** Validation error of the link. */
  const [problem, setProblem] = useState<Problem | null>(null);
  /** Advice after a paste or a share without text. This advice is not a validation error. */
  const [hint, setHint] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // The input is uncontrolled, so that hydration keeps text that the visitor typed or the browser restored.
  const field = useRef<HTMLInputElement>(null);
  const readField = () => field.current?.value ?? "";
  const hasFocus = () => document.activeElement === field.current;

  /** Returns the post whose link is in the field, or null. */
  function check(announced = hasFocus()): InstagramPost | null {
    const result = parseInstagramLink(readField());
    setProblem(result.ok ? null : { ...result, announced });
    setHint(null);
    return result.ok ? result.post : null;
  }

  /** Fills the field with pasted or shared text. Returns the post whose link the text contains, or null. */
  function fillField(text: string): InstagramPost | null {
    const line = collapseWhitespace(text);
    if (!field.current || !line) {
      setHint(noTextReceived);
      return null;
    }
    const result = parseInstagramLink(line);
    // Without the parts before and after it, the code of the post is visible on a phone.
    field.current.value = result.ok ? canonicalLink(result.post).replace("https://www.", "") : line;
    // The site script keeps the input for a reload.
    field.current.dispatchEvent(new Event("input", { bubbles: true }));
    return check();
  }

  const checkOnBlur = useSettledBlur(() => {
    // On a slow device, the visitor may already be back in the field.
    if (!hasFocus() && readField().trim()) check(true);
  });

  const initialize = useEffectEvent(() => {
    const incoming = takeIncomingText();
    if (incoming !== null) fillField(incoming);
  });
  useEffect(() => initialize(), []);

  // Must come after the effect of `initialize`. An effect in useCaptcha loads the captcha if the field has text.
  const captcha = useCaptcha({ hasIdempotencyKey: false, onFailure: showFailure });

  /** Starts the captcha if the link is valid. The browser solves it while the visitor reads on. */
  function solveCaptcha() {
    if (parseInstagramLink(readField()).ok) captcha.start();
  }
  const solveForEarlyInput = useEffectEvent(solveCaptcha);
  useEffect(() => solveForEarlyInput(), []);

  /** After a valid link, focuses the captcha, because focus on the field would open a phone's keyboard. */
  function paste(text: string | null) {
    if (text === null) setHint(clipboardDenied);
    else if (fillField(text)) return captcha.focus();
    field.current?.focus();
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const post = check();
    if (!post) return field.current?.focus();
    setFailure(null);
    captcha.send(async (token, fingerprint) => {
      const options = { fingerprint, accepts: isCaptchaReply };
      // Sends only the link, because the text around it may be longer than a request may be.
      const body = { token, url: canonicalLink(post) };
      await postJson<CaptchaReply>("/api/recaptcha/verify", body, options);
      startFlow();
    });
  }

  function showFailure(error: unknown) {
    const linkError = error instanceof ApiError ? error.fields.url : undefined;
    if (linkError) {
      setProblem({ message: linkError, announced: hasFocus() });
      return field.current?.focus();
    }
    const description = getVisitorMessage(error, "We couldn't process your request. Please try again.");
    setFailure(description);
    toast({ variant: "destructive", title: "Error", description });
  }

  return (
    <form
      {...captcha.formProps}
      aria-label="Start with your link"
      onSubmit={submit}
      className="flex flex-col gap-2.5 sm:gap-3"
    >
      <Field
        // Do not change this id, because links to `/#post-link` scroll to this field.
        id="post-link"
        label="Link of your Instagram post or reel"
        required
        hint={hint}
        announced={problem?.announced}
        error={
          problem && (
            <>
              <span>{problem.message}</span>
              {problem.hint && <span className="block font-normal text-foreground">{problem.hint}</span>}
            </>
          )
        }
      >
        {(control) => (
          <div className="@container relative">
            <Input
              {...control}
              ref={field}
              name="link"
              type="text"
              onInput={solveCaptcha}
              onBlur={checkOnBlur}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="go"
              placeholder="instagram.com/p/…"
              // With scroll-mt-20, a jump to the field also shows the label. pr-22 leaves space for the button, which
              // stands below the field if the text is large.
              className="scroll-mt-20 pr-22 @max-3xs:pr-3.5"
            />
            <PasteButton onText={paste} />
          </div>
        )}
      </Field>
      {captcha.element}
      <SubmitButton sending={captcha.sending} sendingLabel="Checking..." failure={failure} quiet={quiet}>
        Continue to Next Step
      </SubmitButton>
      <div className="flex flex-col gap-0.5">
        <Agreement operatorName={operatorName} />
        <div className="flex flex-wrap gap-x-3 text-xs">
          {questions.map(({ question, answer }) => (
            <details key={question} name="about" className="open:w-full">
              <summary className="link inline-flex min-h-6 items-center">{question}</summary>
              <p className="py-1 text-sm text-muted-foreground">{answer}</p>
            </details>
          ))}
        </div>
      </div>
    </form>
  );
}

function startFlow() {
  clearFlowValues();
  // Creates the Idempotency-Key before step 2. If the visitor later duplicates the tab, both tabs use this key.
  writeFlowValue("attempt", createIdempotencyKey());
  track("link_verified");
  goTo(`${pages.verification.path}/`);
}

/**
 * Renders a paste button. Renders nothing on the server and in browsers that cannot read the clipboard. Calls `onText` with
 * null if the browser or the visitor denied access.
 */
function PasteButton({ onText }: { onText: (text: string | null) => void }) {
  const supported = useSyncExternalStore(queryClipboard, canReadClipboard, () => false);
  if (!supported) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      className="absolute inset-y-1.5 right-1.5 @max-3xs:static @max-3xs:mt-2 @max-3xs:w-full"
      onClick={() => void readClipboard().then(onText, () => onText(null))}
    >
      Paste
    </Button>
  );
}
