import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { Spinner } from "@/components/ui/spinner";
import { attempt, matchesMedia, observeSize } from "@/lib/client/browser/interfaces";
import { captchaAction } from "@/lib/config/captcha";

type WidgetId = string | number;

/** The functions that the scripts of both providers have. */
interface ProviderApi {
  render: (container: HTMLElement, options: object) => WidgetId | null | undefined;
  reset: (id: WidgetId) => void;
  /** Google's API has no function that removes a widget. */
  remove?: (id: WidgetId) => void;
}

declare global {
  interface Window {
    grecaptcha?: ProviderApi;
    turnstile?: ProviderApi;
  }
}

const providers = {
  recaptcha: {
    script: "https://www.google.com/recaptcha/api.js?hl=en",
    findApi: () => window.grecaptcha,
    size: "normal",
    options: {},
  },
  turnstile: {
    script: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    findApi: () => window.turnstile,
    size: "flexible",
    options: { action: captchaAction, language: "en", "response-field": false },
  },
};

type Provider = keyof typeof providers;

/** Error codes of Turnstile's failed or expired challenges. Turnstile itself shows these errors and tries again. */
const retriedErrorPattern = /^(?:1106|3|6)/;

/** Media query for screens on which the normal widgets fit (300 and 304 px). app/globals.css has the same query. */
const normalWidget = "(min-width: 320px)";

interface ProviderFrameProps extends CaptchaWidgetProps {
  provider: Provider;
  siteKey: string;
}

/** Renders the widget of reCAPTCHA or Turnstile, and a loading message until the widget appears. */
function ProviderFrame({ provider, siteKey, onToken, onFail, ref }: ProviderFrameProps) {
  const container = useRef<HTMLDivElement>(null);
  const resetWidget = useRef<() => void>(null);
  const [drawn, setDrawn] = useState(false);
  const [verified, setVerified] = useState(false);

  useImperativeHandle(ref, () => ({
    reset() {
      resetWidget.current?.();
      setVerified(false);
    },
    focus() {
      // `querySelector` does not find Turnstile's iframe in its closed shadow tree; the parent then gets focus.
      (container.current?.querySelector("iframe") ?? container.current)?.focus();
    },
    // Both providers decide themselves when their check begins.
    start: () => undefined,
    isBusy: () => false,
  }));

  const report = useEffectEvent((token: string | null) => {
    setDrawn(true);
    setVerified(token !== null);
    onToken(token);
  });
  const fail = useEffectEvent(() => onFail());

  useEffect(() => {
    const { findApi, size, options } = providers[provider];
    const api = findApi();
    // reCAPTCHA can render only once into the same element, so each run of this effect creates a new element.
    const element = document.createElement("div");
    let unmounted = false;
    const show = () => setDrawn(true);
    const expire = () => unmounted || report(null);
    // The load event of reCAPTCHA's iframe does not bubble, so this listener uses the capture phase. The page cannot
    // receive that of Turnstile's iframe, which is in a closed shadow tree. There, a height above 0 shows the widget.
    element.addEventListener("load", show, true);
    const observer =
      provider === "turnstile" && observeSize(element, () => element.clientHeight > 0 && show());
    container.current?.append(element);
    const id = attempt(() =>
      api?.render(element, {
        sitekey: siteKey,
        theme: matchesMedia("(prefers-color-scheme: dark)") ? "dark" : "light",
        size: matchesMedia(normalWidget) ? size : "compact",
        callback: (token: string) => unmounted || report(token),
        "expired-callback": expire,
        "error-callback": (code = "") => {
          expire();
          if (!unmounted && !retriedErrorPattern.test(code)) fail();
          // Tells Turnstile that the page handles the error.
          return true;
        },
        ...(provider === "turnstile" && { "timeout-callback": expire }),
        ...options,
      }),
    );
    const isRendered = id !== undefined && id !== null;
    if (isRendered) resetWidget.current = () => api?.reset(id);
    else fail();
    return () => {
      unmounted = true;
      if (observer) observer.disconnect();
      if (isRendered) api?.remove?.(id);
      resetWidget.current = null;
      element.remove();
    };
  }, [siteKey, provider]);

  return (
    // The negative margin centres a widget that is wider than the space inside the card. app/globals.css sets the
    // widget's size for each provider.
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

/** Loads the provider's script, and returns the widget component. Rejects if the script cannot be loaded. */
export async function loadProviderWidget(provider: Provider, siteKey: string) {
  await loadProviderScript(providers[provider].script);
  return function ProviderWidget(props: CaptchaWidgetProps) {
    return <ProviderFrame provider={provider} siteKey={siteKey} {...props} />;
  };
}

/** Maximum loading time of the script. Ten seconds are enough for a slow mobile connection. */
const timeoutMs = 10_000;
/** The provider's script calls the global function with this name when the script is ready. */
const callbackName = "onCaptchaScriptLoad";

let loading: Promise<void> | undefined;

/** Loads a captcha script once per page. Rejects after an error or 10 s. The next call then loads it again. */
export function loadProviderScript(url: string): Promise<void> {
  loading ??= insertScript(url);
  loading.catch(() => (loading = undefined));
  return loading;
}

function insertScript(url: string): Promise<void> {
  const script = document.createElement("script");
  const source = new URL(url);
  source.searchParams.set("render", "explicit");
  source.searchParams.set("onload", callbackName);
  return new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      script.remove();
      reject(new Error(`The captcha script ${reason}`));
    };
    const timer = setTimeout(() => fail("took too long"), timeoutMs);
    const succeed = () => {
      clearTimeout(timer);
      resolve();
    };
    Object.assign(window, { [callbackName]: succeed });
    script.addEventListener("error", () => fail("failed to load"));
    script.async = true;
    script.src = source.href;
    document.head.append(script);
  });
}
