import type { ComponentType, Ref } from "react";
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import type { CaptchaHandle, CaptchaWidgetProps } from "@/components/captcha/captcha-widget";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { SiteKeyReply } from "@/lib/schemas/api-responses";
import { getJson } from "@/lib/client/api/api-client";

type Widget = ComponentType<CaptchaWidgetProps>;

export interface CaptchaProps {
  /** True after the visitor first uses the form. The captcha widget then loads without a click. */
  active: boolean;
  onToken: (token: string | null) => void;
  ref?: Ref<CaptchaHandle>;
}

/** Renders a placeholder until the visitor first uses the form. Then renders the captcha widget. */
export function Captcha({ active, onToken, ref }: CaptchaProps) {
  /** Null before the widget is loaded. */
  const [Widget, setWidget] = useState<Widget | null>(null);
  const [failed, setFailed] = useState(false);
  const [requested, setRequested] = useState(false);
  const [loadAttempts, setLoadAttempts] = useState(0);
  const container = useRef<HTMLDivElement>(null);
  const widget = useRef<CaptchaHandle>(null);
  /** True from `start` until the widget is loaded. */
  const starting = useRef(false);
  /** True if the focus is in the placeholder that the widget replaces. */
  const hadFocus = useRef(false);
  const shouldLoad = active || requested;

  useImperativeHandle(ref, () => ({
    reset() {
      widget.current?.reset();
      onToken(null);
    },
    focus,
    start,
    isBusy: () => widget.current?.isBusy() ?? starting.current,
  }));
  const showFailure = useEffectEvent(fail);

  useEffect(() => {
    if (!shouldLoad) return;
    let cancelled = false;
    loadWidget().then(
      (loaded) => {
        if (cancelled) return;
        hadFocus.current = container.current?.contains(document.activeElement) ?? false;
        setWidget(() => loaded);
      },
      () => cancelled || showFailure(),
    );
    return () => {
      cancelled = true;
    };
  }, [shouldLoad, loadAttempts]);

  useEffect(() => {
    if (!Widget) return;
    if (hadFocus.current) widget.current?.focus();
    if (starting.current) widget.current?.start();
    starting.current = false;
  }, [Widget]);

  function focus() {
    if (widget.current) widget.current.focus();
    else container.current?.focus();
    setRequested(true);
  }

  function start() {
    if (widget.current) return widget.current.start();
    starting.current = true;
    setRequested(true);
  }

  function loadAgain() {
    setWidget(null);
    setFailed(false);
    setLoadAttempts((count) => count + 1);
    // React removes the pressed button. The captcha gets the focus, so that keyboard users keep their place.
    container.current?.focus();
  }

  function fail() {
    starting.current = false;
    setFailed(true);
    onToken(null);
  }

  return (
    <div
      ref={container}
      role="group"
      aria-label="Human verification"
      tabIndex={-1}
      className="min-h-(--captcha-height) rounded"
    >
      {failed ? (
        <Alert variant="destructive" role="alert">
          <p>Unable to load verification. Please refresh the page.</p>
          <Button variant="outline" size="sm" onClick={loadAgain} className="mt-2">
            Load the check again
          </Button>
        </Alert>
      ) : Widget ? (
        <Widget ref={widget} onToken={onToken} onFail={fail} />
      ) : (
        // Looks like the widget, which replaces it.
        <button type="button" onClick={start} className={placeholderClass}>
          {shouldLoad ? (
            <Spinner className="size-6" />
          ) : (
            <span className="size-6 shrink-0 rounded-[0.375rem] border-[1.5px] border-input" />
          )}
          <span role="status">{shouldLoad ? "Loading verification..." : "I'm not a robot"}</span>
        </button>
      )}
    </div>
  );
}

const placeholderClass =
  "flex min-h-(--captcha-height) w-full flex-wrap items-center gap-x-3 rounded border px-4 text-start font-medium text-muted-foreground";

/** Rejects if the server does not respond, or names an unknown provider. */
async function loadWidget(): Promise<Widget> {
  const { sitekey, provider } = await getJson<SiteKeyReply>("/api/recaptcha/sitekey");
  if (provider !== "altcha") {
    const { loadProviderWidget } = await import("@/components/captcha/provider-widget");
    return loadProviderWidget(provider, sitekey);
  }
  // Browsers have no Web Crypto, which altcha needs, on addresses with "http:".
  if (!window.isSecureContext) return SecureOriginNeeded;
  return (await import("@/components/captcha/altcha-widget")).AltchaWidget;
}

function SecureOriginNeeded() {
  return (
    <Alert variant="destructive" role="alert">
      Browsers allow this check only on a secure address, which begins with https:// or http://localhost.
    </Alert>
  );
}
