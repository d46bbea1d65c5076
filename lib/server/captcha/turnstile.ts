import "server-only";
import { captchaAction } from "@/lib/config/captcha-action";
import type { CaptchaProvider } from "./captcha";
import { siteverify, type SiteverifySettings } from "./siteverify";

const cloudflare = {
  url: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  tokenLifeSeconds: 300,
  maxTokenLength: 2_048,
  action: captchaAction,
};

/** Creates the provider for Cloudflare Turnstile. The provider checks hostname and action of each token. */
export function createTurnstile(settings: SiteverifySettings): CaptchaProvider {
  return {
    name: "turnstile",
    siteKey: settings.siteKey,
    checksLocally: false,
    check: (token, requestHost) => siteverify(token, requestHost, cloudflare, settings),
  };
}
