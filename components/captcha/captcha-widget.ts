import type { Ref } from "react";

export interface CaptchaHandle {
  /** Discards the token and restarts the captcha. */
  reset: () => void;
  focus: () => void;
}

/** Props that every provider's widget component accepts. */
export interface CaptchaWidgetProps {
  /** Called with the token when the captcha is solved. Called with null when there is no valid token. */
  onToken: (token: string | null) => void;
  /** Called after an error from which the widget cannot recover. */
  onFail: () => void;
  ref: Ref<CaptchaHandle>;
}
