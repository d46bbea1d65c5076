"use client";

import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { ProviderFrame, type DrawWidget } from "@/components/captcha/provider-frame";
import { loadProviderScript } from "@/components/captcha/provider-script";

/** What is used of Google's script. */
interface Grecaptcha {
  render: (
    place: HTMLElement,
    options: {
      sitekey: string;
      theme: "light" | "dark";
      size: "normal" | "compact";
      callback: (token: string) => void;
      "expired-callback": () => void;
      "error-callback": () => void;
    },
  ) => number;
  reset: (id: number) => void;
}

declare global {
  interface Window {
    grecaptcha?: Grecaptcha;
  }
}

const draw: DrawWidget = (place, { siteKey, theme, compact, onDrawn, onToken, onFail }) => {
  const { grecaptcha } = window;
  if (!grecaptcha) throw new Error("reCAPTCHA is not there");
  // Its frame has its size at once, and is empty until it has loaded. The event does not bubble, but can be caught.
  place.addEventListener("load", onDrawn, true);
  const id = grecaptcha.render(place, {
    sitekey: siteKey,
    theme,
    size: compact ? "compact" : "normal",
    callback: onToken,
    "expired-callback": () => onToken(null),
    "error-callback": onFail,
  });
  // Google offers no way to take a widget back.
  return { reset: () => grecaptcha.reset(id), remove: () => {} };
};

/** Google's reCAPTCHA v2: "I'm not a robot". */
function RecaptchaWidget(props: CaptchaWidgetProps) {
  return <ProviderFrame {...props} provider="recaptcha" draw={draw} />;
}

/** The widget, once Google's script can draw it. */
export async function loadRecaptchaWidget(): Promise<typeof RecaptchaWidget> {
  await loadProviderScript("https://www.google.com/recaptcha/api.js", { hl: "en" });
  return RecaptchaWidget;
}
