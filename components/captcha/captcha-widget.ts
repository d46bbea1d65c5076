import type { Ref } from "react";

/** What a form can ask of its captcha. */
export interface CaptchaHandle {
  /** Throws the token away and starts the check anew. */
  reset: () => void;
  focus: () => void;
}

/** The contract of a provider's widget: one small component per provider, loaded when a form is used. */
export interface CaptchaWidgetProps {
  siteKey: string;
  /** The token of a completed check; null when it is gone (expired, reset, failed). */
  onToken: (token: string | null) => void;
  /** The check cannot go on, and refreshing the page is all that is left. */
  onFail: () => void;
  ref: Ref<CaptchaHandle>;
}
