"use client";

import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { ProviderFrame, type DrawWidget } from "@/components/captcha/provider-frame";
import { loadProviderScript } from "@/components/captcha/provider-script";
import { captchaAction } from "@/lib/config/captcha-action";

/** What is used of Cloudflare's script. */
interface Turnstile {
  render: (
    place: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      theme: "light" | "dark";
      size: "flexible" | "compact";
      language: string;
      callback: (token: string) => void;
      "expired-callback": () => void;
      "timeout-callback": () => void;
      /** A true result says that the error was dealt with. */
      "error-callback": (code?: string) => boolean;
      "response-field": boolean;
    },
  ) => string | null | undefined;
  reset: (id: string) => void;
  remove: (id: string) => void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

/** Codes of a challenge that failed or ran out of time: the widget says so itself, and tries again. */
const passingError = /^(?:1106|3|6)/;

const draw: DrawWidget = (place, { siteKey, theme, compact, onDrawn, onToken, onFail }) => {
  const { turnstile } = window;
  const id = turnstile?.render(place, {
    sitekey: siteKey,
    action: captchaAction,
    theme,
    size: compact ? "compact" : "flexible",
    language: "en",
    callback: onToken,
    "expired-callback": () => onToken(null),
    "timeout-callback": () => onToken(null),
    "error-callback": (code = "") => {
      onToken(null);
      if (!passingError.test(code)) onFail();
      return true;
    },
    "response-field": false,
  });
  if (!turnstile || !id) throw new Error("Turnstile did not draw its widget");
  // Its frame is in a closed shadow tree, which lets no event out, and grows to its size once it has something to show.
  const observer = new ResizeObserver(() => place.clientHeight > 0 && onDrawn());
  observer.observe(place);
  return {
    reset: () => turnstile.reset(id),
    remove() {
      observer.disconnect();
      turnstile.remove(id);
    },
  };
};

/** Cloudflare Turnstile: a check that mostly passes by itself, and a box to tick where it does not. */
function TurnstileWidget(props: CaptchaWidgetProps) {
  return <ProviderFrame {...props} provider="turnstile" draw={draw} />;
}

/** The widget, once Cloudflare's script can draw it. */
export async function loadTurnstileWidget(): Promise<typeof TurnstileWidget> {
  await loadProviderScript("https://challenges.cloudflare.com/turnstile/v0/api.js");
  return TurnstileWidget;
}
