"use client";

import { useEffect, useRef, useState, type MouseEvent } from "react";
import { Button, ButtonLink, type ButtonLinkProps, type ButtonProps } from "@/components/ui/button";
import { goTo } from "@/lib/client/browser/navigate";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { timing } from "@/lib/config/limits";

const processingText = "Processing...";

export interface ProcessingButtonProps extends Omit<ButtonProps, "onClick" | "loading"> {
  /** Called half a second after the click, usually to open another page. */
  onProcessed: () => void;
}

/** Renders a button that shows "Processing..." for half a second and then calls `onProcessed`. */
export function ProcessingButton({ onProcessed, children, ...props }: ProcessingButtonProps) {
  const [processing, start] = useProcessing(onProcessed);
  return (
    <Button loading={processing} onClick={start} {...props}>
      {processing ? processingText : children}
    </Button>
  );
}

export interface ProcessingLinkProps extends Omit<ButtonLinkProps, "onClick" | "loading"> {
  href: string;
  /** Called at the click, for example to record an analytics event. */
  onFollow?: () => void;
}

/** Link version of ProcessingButton that also works without JavaScript. Ctrl+click opens a new tab at once. */
export function ProcessingLink({ href, onFollow, children, ...props }: ProcessingLinkProps) {
  const [processing, start] = useProcessing(() => goTo(href));

  function follow(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onFollow?.();
    start();
  }

  return (
    <ButtonLink href={href} loading={processing} onClick={follow} {...props}>
      {processing ? processingText : children}
    </ButtonLink>
  );
}

function useProcessing(onProcessed: () => void): [processing: boolean, start: () => void] {
  const [processing, setProcessing] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);
  usePageRestored(() => setProcessing(false));

  return [
    processing,
    () => {
      setProcessing(true);
      timer.current = setTimeout(onProcessed, timing.navigationDelayMs);
    },
  ];
}
