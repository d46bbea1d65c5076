"use client";

import "altcha/altcha.css";
import "./altcha-widget.css";
import "altcha/external";
import type { AltchaWidgetElement } from "altcha";
import type {} from "altcha/types/react";
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";

/** URL of altcha's web worker. scripts/build-browser-scripts.mjs copies the file from the altcha package. */
const workerPath = "/altcha/pbkdf2.worker.js";

globalThis.$altcha.algorithms.set("PBKDF2/SHA-256", () => new Worker(workerPath));
globalThis.$altcha.defaults.set({
  challenge: "/api/recaptcha/challenge",
  hideFooter: true,
  hideLogo: true,
  // Stops altcha from recording the visitor's pointer movements.
  humanInteractionSignature: false,
});

/** Renders the self-hosted altcha captcha. After a click, web workers solve a computing task. */
export function AltchaWidget({ onToken, ref }: CaptchaWidgetProps) {
  const element = useRef<AltchaWidgetElement>(null);
  const [state, setState] = useState("unverified");

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

  return (
    <>
      {/* Translated, the widget would show its old labels next to the new label. */}
      <div translate="no">
        <altcha-widget ref={element} />
      </div>
      <span role="status" className="sr-only">
        {state === "verified" && "Verification complete."}
      </span>
    </>
  );
}
