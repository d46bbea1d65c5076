/** Action name of the Turnstile widget. The server rejects tokens that were created for another action. */
export const captchaAction = "verify";
