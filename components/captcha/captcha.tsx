"use client";

import { useEffect, useImperativeHandle, useRef, useState, type ComponentType, type Ref } from "react";
import type { CaptchaHandle, CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { SiteKeyReply } from "@/lib/http/api-responses";
import { getJson } from "@/lib/client/api/fetch-json";

export type { CaptchaHandle };

type Widget = ComponentType<CaptchaWidgetProps>;

/** One entry per provider; a provider that is missing here shows the failed state. */
const widgets: Partial<Record<SiteKeyReply["provider"], () => Promise<Widget>>> = {
  altcha: loadAltcha,
  recaptcha: () =>
    import("@/components/captcha/recaptcha-widget").then((module) => module.loadRecaptchaWidget()),
  turnstile: () =>
    import("@/components/captcha/turnstile-widget").then((module) => module.loadTurnstileWidget()),
};

type State =
  | { name: "waiting" }
  | { name: "failed" }
  /** `Widget` is capitalised because it is rendered. */
  | { name: "loaded"; Widget: Widget; siteKey: string };

export interface CaptchaProps {
  /** The form is being used: from then on the check may load. It never does on its own. */
  active: boolean;
  onToken: (token: string | null) => void;
  /** Names the check for screen readers. */
  label?: string;
  ref?: Ref<CaptchaHandle>;
}

/**
 * The human check of every form. It keeps its place from the start (--captcha-height, by the provider that the pages
 * were built for), with a picture of what will be there, and asks the server which provider to load when the form is
 * used for the first time. What could not be loaded can be asked for again.
 */
export function Captcha({ active, onToken, label = "Human verification", ref }: CaptchaProps) {
  const [state, setState] = useState<State>({ name: "waiting" });
  const [requested, setRequested] = useState(false);
  /** Counts the tries to load it. */
  const [tries, setTries] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const widget = useRef<CaptchaHandle>(null);
  const wanted = active || requested;

  useImperativeHandle(ref, () => ({
    reset() {
      widget.current?.reset();
      onToken(null);
    },
    focus,
  }));

  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    loadWidget().then(
      (loaded) => gone || setState({ name: "loaded", ...loaded }),
      () => gone || setState({ name: "failed" }),
    );
    return () => {
      gone = true;
    };
  }, [wanted, tries]);

  // Whoever waits at the place of the widget goes on in the widget.
  useEffect(() => {
    if (state.name === "loaded" && document.activeElement === box.current) widget.current?.focus();
  }, [state.name]);

  /** To the widget when it is there, else to its place until it comes. */
  function focus() {
    if (widget.current) widget.current.focus();
    else box.current?.focus();
    setRequested(true);
  }

  function loadAgain() {
    setState({ name: "waiting" });
    setTries((count) => count + 1);
    // The button goes with the message.
    box.current?.focus();
  }

  function fail() {
    setState({ name: "failed" });
    onToken(null);
  }

  return (
    <div ref={box} role="group" aria-label={label} tabIndex={-1} className="min-h-(--captcha-height) rounded">
      {state.name === "loaded" ? (
        <state.Widget ref={widget} siteKey={state.siteKey} onToken={onToken} onFail={fail} />
      ) : state.name === "failed" ? (
        <Alert variant="destructive" role="alert">
          <p>Unable to load verification. Please refresh the page.</p>
          <Button variant="outline" size="sm" onClick={loadAgain} className="mt-2.5">
            Load the check again
          </Button>
        </Alert>
      ) : wanted ? (
        <p role="status" className={placeClass}>
          <Spinner className="size-6" />
          Loading verification...
        </p>
      ) : (
        // The same form as the check itself. Any touch of the form loads it; one here also leads into it.
        <div onClick={focus} className={placeClass}>
          <span
            aria-hidden="true"
            className="size-6 shrink-0 rounded-[0.375rem] border-[1.5px] border-input"
          />
          <span aria-hidden="true">I&apos;m not a robot</span>
          <span className="sr-only">The human check loads when you use this form.</span>
        </div>
      )}
    </div>
  );
}

const placeClass =
  "flex h-(--captcha-height) w-full items-center gap-3 rounded border border-input px-4 font-medium text-muted-foreground";

async function loadWidget(): Promise<{ Widget: Widget; siteKey: string }> {
  const { sitekey, provider } = await getJson<SiteKeyReply>("/api/recaptcha/sitekey");
  const load = widgets[provider];
  if (!load) throw new Error(`No widget for ${provider}`);
  return { Widget: await load(), siteKey: sitekey };
}

/** altcha computes with Web Crypto, which browsers offer on secure origins only. */
async function loadAltcha(): Promise<Widget> {
  if (!window.isSecureContext) throw new Error("Not a secure origin");
  return (await import("@/components/captcha/altcha-widget")).AltchaWidget;
}
