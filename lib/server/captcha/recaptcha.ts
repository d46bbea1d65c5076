import "server-only";
import type { CaptchaProvider } from "./captcha";
import { siteverify, type SiteverifySettings } from "./siteverify";

const google = {
  url: "https://www.google.com/recaptcha/api/siteverify",
  tokenLifeSeconds: 120,
  // Google documents no limit; the API's bodies have one.
  maxTokenLength: 16_384,
};

/** Google's reCAPTCHA v2 with the checkbox. It knows no actions, so the hostname alone ties a token to this site. */
export function createRecaptcha(settings: SiteverifySettings): CaptchaProvider {
  return {
    name: "recaptcha",
    siteKey: settings.siteKey,
    checksAlone: false,
    check: (token, requestHost) => siteverify(token, requestHost, google, settings),
  };
}
