/** Action name that the Turnstile widget puts into its tokens. The server rejects other action names. */
export const captchaAction = "verify";
