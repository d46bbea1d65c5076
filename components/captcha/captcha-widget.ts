import type { Ref } from "react";

export interface CaptchaHandle {
  /** Discards the token and restarts the captcha. */
  reset: () => void;
  focus: () => void;
  /** Begins the check, if the provider needs no visitor for it. */
  start: () => void;
  /** Returns true while a check is under way. Its end is a call of `onToken`. */
  isBusy: () => boolean;
}

/** Props that every provider's widget component accepts. */
export interface CaptchaWidgetProps {
  /** Called with the token when the captcha is solved. Called with null when there is no valid token. */
  onToken: (token: string | null) => void;
  /** Called after an error from which the widget cannot recover. */
  onFail: () => void;
  ref: Ref<CaptchaHandle>;
}
