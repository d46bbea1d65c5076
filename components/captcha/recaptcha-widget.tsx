"use client";

import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { ProviderFrame, type RenderWidget } from "@/components/captcha/provider-frame";
import { loadProviderScript } from "@/components/captcha/provider-script";

declare global {
  interface Window {
    grecaptcha?: {
      render: (
        container: HTMLElement,
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
    };
  }
}

const draw: RenderWidget = (container, { siteKey, theme, compact, onRendered, onToken, onFail }) => {
  const { grecaptcha } = window;
  if (!grecaptcha) throw new Error("window.grecaptcha is missing");
  // The iframe's load event does not bubble, so this listener uses the capture phase.
  container.addEventListener("load", onRendered, true);
  const id = grecaptcha.render(container, {
    sitekey: siteKey,
    theme,
    size: compact ? "compact" : "normal",
    callback: onToken,
    "expired-callback": () => onToken(null),
    "error-callback": onFail,
  });
  // Google's API has no function that removes a widget.
  return { reset: () => grecaptcha.reset(id), remove: () => {} };
};

function RecaptchaWidget(props: CaptchaWidgetProps) {
  return <ProviderFrame {...props} provider="recaptcha" draw={draw} />;
}

/** Loads Google's script, and returns the widget component. Rejects if the script cannot be loaded. */
export async function loadRecaptchaWidget(): Promise<typeof RecaptchaWidget> {
  await loadProviderScript("https://www.google.com/recaptcha/api.js", { hl: "en" });
  return RecaptchaWidget;
}
