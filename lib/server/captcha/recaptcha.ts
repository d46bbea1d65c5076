import "server-only";
import type { CaptchaProvider } from "./captcha";
import { siteverify, type SiteverifySettings } from "./siteverify";

const google = {
  url: "https://www.google.com/recaptcha/api/siteverify",
  tokenLifeSeconds: 120,
  // Google documents no maximum length. This value is the limit of our API for a request body.
  maxTokenLength: 16_384,
};

/** Creates the provider for Google's reCAPTCHA v2 (checkbox). Google returns a hostname, but no action. */
export function createRecaptcha(settings: SiteverifySettings): CaptchaProvider {
  return {
    name: "recaptcha",
    siteKey: settings.siteKey,
    checksLocally: false,
    check: (token, requestHost) => siteverify(token, requestHost, google, settings),
  };
}
