/**
 * The name under which Turnstile's widget is drawn. Its answer carries the name, protected by the provider, so that the
 * server takes no token of another form that uses the same keys.
 */
export const captchaAction = "verify";
