"use client";

import "altcha/altcha.css";
import "./altcha-widget.css";
import "altcha/external";
import type { AltchaWidgetElement } from "altcha";
import type {} from "altcha/types/react";
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";

/** Copied there from the package by scripts/copy-altcha-worker.mjs. */
const workerPath = "/altcha/pbkdf2.worker.js";

globalThis.$altcha.algorithms.set("PBKDF2/SHA-256", () => new Worker(workerPath));
globalThis.$altcha.defaults.set({
  challenge: "/api/recaptcha/challenge",
  hideFooter: true,
  hideLogo: true,
  // Its collector of pointer movements: not needed, so not started.
  humanInteractionSignature: false,
});

/** The self-hosted proof of work: a checkbox, and a second of computing in a worker. */
export function AltchaWidget({ onToken, ref }: CaptchaWidgetProps) {
  const element = useRef<AltchaWidgetElement>(null);
  const [verified, setVerified] = useState(false);

  useImperativeHandle(ref, () => ({
    reset: () => element.current?.reset(),
    focus() {
      const focusBox = () => element.current?.querySelector("input")?.focus();
      focusBox();
      // The element fills itself a moment after it was put into the page.
      element.current?.addEventListener("load", focusBox, { once: true });
    },
  }));

  const report = useEffectEvent((token: string | null) => {
    setVerified(token !== null);
    onToken(token);
  });
  useEffect(() => {
    const widget = element.current;
    const onStateChange = (event: Event) => {
      const { state, payload } = (event as CustomEvent<{ state: string; payload?: string | null }>).detail;
      report(state === "verified" && payload ? payload : null);
    };
    widget?.addEventListener("statechange", onStateChange);
    return () => widget?.removeEventListener("statechange", onStateChange);
  }, []);

  return (
    <>
      <altcha-widget ref={element} />
      <span role="status" className="sr-only">
        {verified && "Verification complete."}
      </span>
    </>
  );
}
