"use client";

import "altcha/altcha.css";
import "./altcha-widget.css";
import "altcha/external";
import type { AltchaWidgetElement } from "altcha";
import type {} from "altcha/types/react";
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { LongerWorkNotice, type LongerWork } from "@/components/captcha/longer-work-notice";
import { estimateSolveTime, type ChallengeParameters } from "@/components/captcha/estimate-solve-time";

/** URL of altcha's web worker. scripts/copy-altcha-worker.mjs copies the file from the altcha package. */
const workerPath = "/altcha/pbkdf2.worker.js";

/** `fetchChallenge` calls these functions with each challenge, because altcha sends no event for challenges. */
const challengeListeners = new Set<(challenge: ChallengeReply) => void>();

interface ChallengeReply {
  parameters: ChallengeParameters & {
    /**
     * Set only if the challenge needs more PBKDF2 computations than normal. If `work` is 3, it needs three
     * times as many. `tries` is the maximum number of computations.
     */
    data?: { work: number; tries: number };
  };
}

globalThis.$altcha.algorithms.set("PBKDF2/SHA-256", () => new Worker(workerPath));
globalThis.$altcha.defaults.set({
  challenge: "/api/recaptcha/challenge",
  fetch: fetchChallenge,
  hideFooter: true,
  hideLogo: true,
  // Stops altcha from recording the visitor's pointer movements.
  humanInteractionSignature: false,
});

/** Renders the self-hosted altcha captcha. After a click, web workers solve a computing task. */
export function AltchaWidget({ onToken, ref }: CaptchaWidgetProps) {
  const element = useRef<AltchaWidgetElement>(null);
  const [state, setState] = useState("unverified");
  const [longer, setLonger] = useState<LongerWork | null>(null);

  useImperativeHandle(ref, () => ({
    reset: () => element.current?.reset(),
    focus() {
      const focusCheckbox = () => element.current?.querySelector("input")?.focus();
      focusCheckbox();
      // If altcha has not rendered its checkbox yet, this listener focuses the checkbox after "load".
      element.current?.addEventListener("load", focusCheckbox, { once: true });
    },
  }));

  const report = useEffectEvent((next: string, token: string | null) => {
    setState(next);
    if (next !== "verifying") setLonger(null);
    onToken(token);
  });
  useEffect(() => {
    const widget = element.current;
    const onStateChange = (event: Event) => {
      const { state, payload } = (event as CustomEvent<{ state: string; payload?: string | null }>).detail;
      report(state, state === "verified" && payload ? payload : null);
    };
    widget?.addEventListener("statechange", onStateChange);
    return () => widget?.removeEventListener("statechange", onStateChange);
  }, []);
  useEffect(() => {
    const onChallenge = ({ parameters }: ChallengeReply) => {
      if (!parameters.data) return;
      const { work, tries } = parameters.data;
      setLonger({ work, maxDurationMs: null });
      const workers = element.current?.getConfiguration().workers ?? 1;
      void estimateSolveTime(parameters, tries, workers).then((maxDurationMs) =>
        setLonger((current) => current && { ...current, maxDurationMs }),
      );
    };
    challengeListeners.add(onChallenge);
    return () => void challengeListeners.delete(onChallenge);
  }, []);

  return (
    <>
      {/* Translated, the widget would show its old labels next to the new label. */}
      <div translate="no">
        <altcha-widget ref={element} />
      </div>
      {state === "verifying" && longer && <LongerWorkNotice {...longer} />}
      <span role="status" className="sr-only">
        {state === "verified" && "Verification complete."}
      </span>
    </>
  );
}

async function fetchChallenge(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (response.ok) {
    const challenge = (await response.clone().json()) as ChallengeReply;
    for (const listener of challengeListeners) listener(challenge);
  }
  return response;
}
