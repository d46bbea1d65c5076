"use client";

import { Alert } from "@/components/ui/alert";
import { areCookiesBlocked } from "@/lib/client/browser/cookies-blocked";
import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";

/**
 * Says what to do where the browser keeps no cookie: the steps after the first would all lead back to the start. Nothing
 * where cookies are allowed.
 */
export function CookiesBlocked() {
  const refused = useBrowserValue(areCookiesBlocked, false);
  if (!refused) return null;
  return (
    <Alert variant="destructive" role="alert" title="Your browser refuses cookies">
      <p>
        The steps that follow need one: it remembers which post you are requesting likes for, is encrypted,
        and ends when you return to the home page. Allow cookies for this site in the privacy settings of your
        browser, then load this page again.
      </p>
    </Alert>
  );
}
