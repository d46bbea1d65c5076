import { useEffect, useState, type MouseEvent } from "react";
import { ButtonLink, type ButtonLinkProps } from "@/components/ui/button";
import { goTo } from "@/lib/client/browser/navigate";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { timing } from "@/lib/config/limits";

export interface ProcessingLinkProps extends ButtonLinkProps {
  href: string;
  /** Called at the click, for example to record an analytics event. */
  onFollow?: () => void;
}

/**
 * Renders a link that shows "Processing..." for half a second before it opens the page. It also works without JavaScript.
 * Ctrl+click opens a new tab at once.
 */
export function ProcessingLink({ href, onFollow, children, ...props }: ProcessingLinkProps) {
  const [processing, setProcessing] = useState(false);
  usePageRestored(() => setProcessing(false));
  useEffect(() => {
    if (!processing) return;
    const timer = setTimeout(() => goTo(href), timing.navigationDelayMs);
    return () => clearTimeout(timer);
  }, [processing, href]);

  function follow(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onFollow?.();
    setProcessing(true);
  }

  return (
    <ButtonLink size="lg" href={href} loading={processing} onClick={follow} {...props}>
      {processing ? "Processing..." : children}
    </ButtonLink>
  );
}
