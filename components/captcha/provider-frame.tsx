"use client";

import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { Spinner } from "@/components/ui/spinner";

export interface RenderOptions {
  siteKey: string;
  theme: "light" | "dark";
  /** True when the screen is narrower than the provider's normal widget. */
  compact: boolean;
  onRendered: () => void;
  /** Called with null when the token expires. */
  onToken: (token: string | null) => void;
  onFail: () => void;
}

export interface RenderedWidget {
  reset: () => void;
  remove: () => void;
}

/** Renders a provider's widget into an empty element. Throws when rendering fails. */
export type RenderWidget = (container: HTMLElement, options: RenderOptions) => RenderedWidget;

interface ProviderFrameProps extends CaptchaWidgetProps {
  /** Selects the widget's size in app/globals.css. */
  provider: "recaptcha" | "turnstile";
  draw: RenderWidget;
}

/** Screens that fit the normal widgets (300 and 304 px); app/globals.css has the same limit. */
const normalWidget = "(min-width: 320px)";

/** Renders a provider's widget, whose opaque iframe later covers the loading state. */
export function ProviderFrame({ provider, siteKey, onToken, onFail, ref, draw }: ProviderFrameProps) {
  const container = useRef<HTMLDivElement>(null);
  const widget = useRef<RenderedWidget>(null);
  const [drawn, setDrawn] = useState(false);
  const [verified, setVerified] = useState(false);

  useImperativeHandle(ref, () => ({
    reset() {
      widget.current?.reset();
      setVerified(false);
    },
    focus() {
      // Turnstile's shadow tree is closed. With the container focused, the iframe is the next tab stop.
      (container.current?.querySelector("iframe") ?? container.current)?.focus();
    },
  }));

  const report = useEffectEvent((token: string | null) => {
    setDrawn(true);
    setVerified(token !== null);
    onToken(token);
  });
  const fail = useEffectEvent(() => onFail());

  useEffect(() => {
    // reCAPTCHA can render only once into an element, so every effect run creates a new element.
    const element = document.createElement("div");
    let unmounted = false;
    container.current?.append(element);
    try {
      widget.current = draw(element, {
        siteKey,
        theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
        compact: !matchMedia(normalWidget).matches,
        onRendered: () => setDrawn(true),
        onToken: (token) => unmounted || report(token),
        onFail: () => unmounted || fail(),
      });
    } catch {
      fail();
    }
    return () => {
      unmounted = true;
      widget.current?.remove();
      widget.current = null;
      element.remove();
    };
  }, [siteKey, draw]);

  return (
    // The negative margin centres a widget that is wider than the card's content box.
    <div
      data-captcha={provider}
      className="relative mx-[min(0px,(100%-var(--captcha-min-width))/2)] min-h-(--captcha-height)"
    >
      {!drawn && (
        <p
          role="status"
          className="absolute inset-0 flex items-center gap-3 px-4 text-sm text-muted-foreground"
        >
          <Spinner />
          Loading verification...
        </p>
      )}
      {/* Browsers give an iframe an opaque background when its colour scheme differs from the page's. The widgets
          have their own dark theme, so the container stays light. */}
      <div ref={container} tabIndex={-1} className="relative rounded [color-scheme:light]" />
      <span role="status" className="sr-only">
        {verified && "Verification complete."}
      </span>
    </div>
  );
}
