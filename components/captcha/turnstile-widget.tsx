"use client";

import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { ProviderFrame, type RenderWidget } from "@/components/captcha/provider-frame";
import { loadProviderScript } from "@/components/captcha/provider-script";
import { observeSize } from "@/lib/client/browser/interfaces";
import { captchaAction } from "@/lib/config/captcha";

declare global {
  interface Window {
    turnstile?: {
      render: (
        container: HTMLElement,
        options: {
          sitekey: string;
          action: string;
          theme: "light" | "dark";
          size: "flexible" | "compact";
          language: string;
          callback: (token: string) => void;
          "expired-callback": () => void;
          "timeout-callback": () => void;
          /** Must return true, which tells Turnstile that the page handles the error. */
          "error-callback": (code?: string) => boolean;
          "response-field": boolean;
        },
      ) => string | null | undefined;
      reset: (id: string) => void;
      remove: (id: string) => void;
    };
  }
}

/** Error codes of failed or expired challenges. Turnstile itself shows these errors and tries again. */
const retriedErrorPattern = /^(?:1106|3|6)/;

const draw: RenderWidget = (container, { siteKey, theme, compact, onRendered, onToken, onFail }) => {
  const { turnstile } = window;
  const id = turnstile?.render(container, {
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
      if (!retriedErrorPattern.test(code)) onFail();
      return true;
    },
    "response-field": false,
  });
  if (!turnstile || !id) throw new Error("Turnstile did not render its widget");
  // The page cannot receive the iframe's load event, because the iframe is in a closed shadow tree. A height
  // above 0 shows that Turnstile has rendered the widget.
  const observer = observeSize(container, () => container.clientHeight > 0 && onRendered());
  return {
    reset: () => turnstile.reset(id),
    remove() {
      observer?.disconnect();
      turnstile.remove(id);
    },
  };
};

function TurnstileWidget(props: CaptchaWidgetProps) {
  return <ProviderFrame {...props} provider="turnstile" draw={draw} />;
}

/** Loads Cloudflare's script, and returns the widget component. Rejects if the script cannot be loaded. */
export async function loadTurnstileWidget(): Promise<typeof TurnstileWidget> {
  await loadProviderScript("https://challenges.cloudflare.com/turnstile/v0/api.js");
  return TurnstileWidget;
}
