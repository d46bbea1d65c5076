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

/** Cloudflare Turnstile. A token counts only when it was made on this site and for this action. */
export function createTurnstile(settings: SiteverifySettings): CaptchaProvider {
  return {
    name: "turnstile",
    siteKey: settings.siteKey,
    checksAlone: false,
    check: (token, requestHost) => siteverify(token, requestHost, cloudflare, settings),
  };
}
