"use client";

import { useEffect, useRef, useState, type MouseEvent } from "react";
import { Button, ButtonLink, type ButtonLinkProps, type ButtonProps } from "@/components/ui/button";
import { goTo } from "@/lib/client/browser/navigate";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { timing } from "@/lib/config/limits";

const words = "Processing...";

export interface ProcessingButtonProps extends Omit<ButtonProps, "onClick" | "loading"> {
  /** Called half a second after the press, usually to open another page. */
  onProcessed: () => void;
}

/** A button that says "Processing..." for half a second before it acts. */
export function ProcessingButton({ onProcessed, children, ...props }: ProcessingButtonProps) {
  const [processing, start] = useProcessing(onProcessed);
  return (
    <Button loading={processing} onClick={start} {...props}>
      {processing ? words : children}
    </Button>
  );
}

export interface ProcessingLinkProps extends Omit<ButtonLinkProps, "onClick" | "loading"> {
  href: string;
}

/** The same as a link, which works without script, and in a new tab at once. */
export function ProcessingLink({ href, children, ...props }: ProcessingLinkProps) {
  const [processing, start] = useProcessing(() => goTo(href));

  function follow(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    start();
  }

  return (
    <ButtonLink href={href} loading={processing} onClick={follow} {...props}>
      {processing ? words : children}
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
