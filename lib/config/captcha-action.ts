/** Action name that the Turnstile widget puts into its tokens. The server rejects tokens of other actions. */
export const captchaAction = "verify";
