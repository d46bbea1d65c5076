import "server-only";
import type { CaptchaProvider } from "./captcha";
import { siteverify, type SiteverifySettings } from "./siteverify";

const google = {
  url: "https://www.google.com/recaptcha/api/siteverify",
  tokenLifeSeconds: 120,
  // Google documents no maximum; this value is the body limit of our API.
  maxTokenLength: 16_384,
};

/** Creates Google's reCAPTCHA v2 (checkbox), which ties a token to a hostname but not to an action. */
export function createRecaptcha(settings: SiteverifySettings): CaptchaProvider {
  return {
    name: "recaptcha",
    siteKey: settings.siteKey,
    checksLocally: false,
    check: (token, requestHost) => siteverify(token, requestHost, google, settings),
  };
}
