"use client";

import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { Spinner } from "@/components/ui/spinner";
import { matchesMedia } from "@/lib/client/browser/interfaces";

export interface RenderOptions extends Omit<CaptchaWidgetProps, "ref"> {
  theme: "light" | "dark";
  /** True on screens narrower than 320 px, which need the small version of the widget. */
  compact: boolean;
  onRendered: () => void;
}

export interface RenderedWidget {
  reset: () => void;
  remove: () => void;
}

/** Renders a provider's captcha widget into an empty element. Throws an error if the rendering fails. */
export type RenderWidget = (container: HTMLElement, options: RenderOptions) => RenderedWidget;

interface ProviderFrameProps extends CaptchaWidgetProps {
  /** Value of the `data-captcha` attribute. app/globals.css sets the widget's size for each value. */
  provider: "recaptcha" | "turnstile";
  draw: RenderWidget;
}

/** Media query for screens on which the normal widgets fit (300 and 304 px). app/globals.css has the same query. */
const normalWidget = "(min-width: 320px)";

/** Renders the widget of reCAPTCHA or Turnstile, and a loading message until the widget appears. */
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
      // `querySelector` does not find Turnstile's iframe in its closed shadow tree; the parent then gets focus.
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
    // reCAPTCHA can render only once into the same element, so each run of this effect creates a new element.
    const element = document.createElement("div");
    let unmounted = false;
    container.current?.append(element);
    try {
      widget.current = draw(element, {
        siteKey,
        theme: matchesMedia("(prefers-color-scheme: dark)") ? "dark" : "light",
        compact: !matchesMedia(normalWidget),
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
    // The negative margin centres a widget that is wider than the space inside the card.
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
      {/* The documents in these iframes always have the light colour scheme. If this element had the dark
          scheme, browsers would draw an opaque background behind the iframe. */}
      <div ref={container} tabIndex={-1} className="relative rounded [color-scheme:light]" />
      <span role="status" className="sr-only">
        {verified && "Verification complete."}
      </span>
    </div>
  );
}
