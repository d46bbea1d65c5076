import type { Ref } from "react";

export interface CaptchaHandle {
  /** Discards the token and restarts the captcha. */
  reset: () => void;
  focus: () => void;
}

/** Props that every provider's widget component accepts. */
export interface CaptchaWidgetProps {
  siteKey: string;
  /** Called with null when the token expires, or when the captcha resets or fails. */
  onToken: (token: string | null) => void;
  /** Called when the widget fails permanently. */
  onFail: () => void;
  ref: Ref<CaptchaHandle>;
}
