import { Alert } from "@/components/ui/alert";
import { areCookiesBlocked } from "@/lib/client/browser/interfaces";
import { useBrowserValue } from "@/lib/client/browser/use-browser-value";

/** Renders an alert if the browser blocks cookies, because all later steps need the flow cookies. */
export function CookiesBlocked() {
  const blocked = useBrowserValue(areCookiesBlocked, false);
  if (!blocked) return null;
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
