import "altcha/altcha.css";
import "./altcha-widget.css";
import "altcha/external";
import type { AltchaWidgetElement } from "altcha";
import type {} from "altcha/types/react";
import { useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { failureReason, getJson } from "@/lib/client/api/api-client";
import { startWorker } from "@/lib/client/browser/interfaces";
import { challengeLifeSeconds } from "@/lib/config/captcha";

/** URL of altcha's web worker. scripts/build-browser-scripts.mjs copies the file from the altcha package. */
const workerPath = "/altcha/pbkdf2.worker.js";

globalThis.$altcha.algorithms.set("PBKDF2/SHA-256", () => startWorker(workerPath));
globalThis.$altcha.defaults.set({
  challenge: "/api/recaptcha/challenge",
  fetch: fetchWithoutExpiry,
  hideFooter: true,
  hideLogo: true,
  // Stops altcha from recording the visitor's pointer movements.
  humanInteractionSignature: false,
});

/** Texts for screen readers, which do not announce that altcha's label changes. */
const announcements: Record<string, string> = {
  verifying: "Verifying...",
  verified: "Verification complete.",
  expired: "Verification expired. Try again.",
};

/** Renders the self-hosted altcha captcha. After a click or `start`, web workers solve a computing task. */
export function AltchaWidget({ onToken, ref }: CaptchaWidgetProps) {
  const element = useRef<AltchaWidgetElement>(null);
  const [state, setState] = useState("unverified");
  /** The latest state. A press or a key can come before React renders `state`. It is "starting" until altcha reports one. */
  const latest = useRef("unverified");

  /** Clicks or focuses the checkbox: now, or after "load" if altcha has not rendered it yet. A second click would end the check. */
  function act(action: "click" | "focus") {
    const find = () => element.current?.querySelector("input");
    if (find()) find()?.[action]();
    else element.current?.addEventListener("load", () => find()?.[action](), { once: true });
  }

  useImperativeHandle(ref, () => ({
    reset() {
      latest.current = "unverified";
      element.current?.reset();
    },
    focus: () => act("focus"),
    start() {
      if (latest.current !== "unverified") return;
      latest.current = "starting";
      act("click");
    },
    isBusy: () => latest.current === "starting" || latest.current === "verifying",
  }));

  const report = useEffectEvent((next: string, token: string | null) => {
    setState(next);
    onToken(token);
  });
  // Before a press can start the check: a passive effect could miss its first event, and the check would expire at once.
  useLayoutEffect(() => {
    const widget = element.current;
    const onStateChange = (event: Event) => {
      const { state, payload } = (event as CustomEvent<{ state: string; payload?: string | null }>).detail;
      if (latest.current !== "starting" || state !== "unverified") latest.current = state;
      report(state, state === "verified" && payload ? withExpiry(payload) : null);
      clearTimeout(expiry);
      if (state === "verifying") expiresAtMs = performance.now() + challengeLifeSeconds * 1_000;
      if (state === "verified") expiry = setTimeout(expire, expiresAtMs - performance.now());
    };
    const expire = () => widget?.reset("expired" as Parameters<AltchaWidgetElement["reset"]>[0]);
    let expiresAtMs = 0;
    let expiry: ReturnType<typeof setTimeout>;
    widget?.addEventListener("statechange", onStateChange);
    return () => {
      widget?.removeEventListener("statechange", onStateChange);
      clearTimeout(expiry);
    };
  }, []);

  return (
    <>
      {/* Translated, the widget would show its old labels next to the new label. A tap on the solved check would undo it. */}
      <div translate="no" onClickCapture={(event) => latest.current === "verified" && event.preventDefault()}>
        <altcha-widget ref={element} />
      </div>
      <span role="status" className="sr-only">
        {announcements[state]}
      </span>
      {state === "error" && (
        <p role="alert" className="mt-1.5 text-sm">
          {challengeFailure ??
            "If it fails again, your browser may lack what the check needs (web workers and Web Crypto). Then update it, " +
              "or open this page in another browser."}
        </p>
      )}
    </>
  );
}

/** Expiry of the last challenge, which the server has signed. */
let signedExpiry: unknown;

/** Why the last challenge did not arrive. Null if it arrived. */
let challengeFailure: string | null = null;

/** Hides the expiry from altcha, which compares it with the device's clock. */
async function fetchWithoutExpiry(): Promise<Response> {
  try {
    const challenge = await getJson<{ parameters: { expiresAt?: unknown } }>("/api/recaptcha/challenge");
    challengeFailure = null;
    signedExpiry = challenge.parameters.expiresAt;
    delete challenge.parameters.expiresAt;
    return new Response(JSON.stringify(challenge), { headers: { "content-type": "application/json" } });
  } catch (error) {
    challengeFailure = failureReason(error);
    throw error;
  }
}

/** Returns altcha's token with the expiry of its challenge. */
function withExpiry(payload: string): string {
  const token = JSON.parse(atob(payload)) as { challenge: { parameters: { expiresAt?: unknown } } };
  token.challenge.parameters.expiresAt = signedExpiry;
  return btoa(JSON.stringify(token));
}
