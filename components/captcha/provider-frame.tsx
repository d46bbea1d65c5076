"use client";

import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { Spinner } from "@/components/ui/spinner";

export interface DrawOptions {
  siteKey: string;
  theme: "light" | "dark";
  /** The screen is narrower than the provider's normal widget. */
  compact: boolean;
  /** The widget can be seen. */
  onDrawn: () => void;
  /** The token of a completed check; null when it is gone. */
  onToken: (token: string | null) => void;
  /** The provider cannot go on. */
  onFail: () => void;
}

export interface DrawnWidget {
  /** Throws the token away and starts the check anew. */
  reset: () => void;
  /** Lets go of what the provider keeps. */
  remove: () => void;
}

/** Has a provider's script draw its widget into an empty element. Throws when it cannot. */
export type DrawWidget = (place: HTMLElement, options: DrawOptions) => DrawnWidget;

interface ProviderFrameProps extends CaptchaWidgetProps {
  /** Chooses the size in globals.css. */
  provider: "recaptcha" | "turnstile";
  draw: DrawWidget;
}

/** The narrowest screen that normal widgets (300 and 304 px) fit; globals.css keeps room by the same rule. */
const normalWidget = "(min-width: 320px)";

/**
 * The place of a provider's widget, which its script draws in a frame of its own site. Until the frame has come, the
 * loading state shows through: the widget, opaque, covers it.
 */
export function ProviderFrame({ provider, siteKey, onToken, onFail, ref, draw }: ProviderFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const widget = useRef<DrawnWidget>(null);
  const [drawn, setDrawn] = useState(false);
  const [verified, setVerified] = useState(false);

  useImperativeHandle(ref, () => ({
    reset() {
      widget.current?.reset();
      setVerified(false);
    },
    focus() {
      // A frame in a closed shadow tree cannot be reached; from its place, it is the next stop of the Tab key.
      (place.current?.querySelector("iframe") ?? place.current)?.focus();
    },
  }));

  const report = useEffectEvent((token: string | null) => {
    setDrawn(true);
    setVerified(token !== null);
    onToken(token);
  });
  const fail = useEffectEvent(() => onFail());

  useEffect(() => {
    // Its own for every run: reCAPTCHA draws into an element once, and never lets go of it.
    const element = document.createElement("div");
    let gone = false;
    place.current?.append(element);
    try {
      widget.current = draw(element, {
        siteKey,
        theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
        compact: !matchMedia(normalWidget).matches,
        onDrawn: () => setDrawn(true),
        onToken: (token) => gone || report(token),
        onFail: () => gone || fail(),
      });
    } catch {
      fail();
    }
    return () => {
      gone = true;
      widget.current?.remove();
      widget.current = null;
      element.remove();
    };
  }, [siteKey, draw]);

  return (
    // Where a card is narrower than the widget, the widget reaches into the card's padding, the same on both sides.
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
      {/* Frames of another scheme than the page's would get an opaque canvas; the widgets bring their own dark. */}
      <div ref={place} tabIndex={-1} className="relative rounded [color-scheme:light]" />
      <span role="status" className="sr-only">
        {verified && "Verification complete."}
      </span>
    </div>
  );
}
