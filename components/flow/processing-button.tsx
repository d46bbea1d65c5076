"use client";

import { useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { usePageRestored } from "@/lib/client/use-page-restored";
import { timing } from "@/lib/limits";

export interface ProcessingButtonProps extends Omit<ButtonProps, "onClick" | "loading" | "asChild"> {
  /** Called half a second after the press, usually to open another page. */
  onProcessed: () => void;
}

/** A button that says "Processing..." for half a second before it acts. */
export function ProcessingButton({ onProcessed, children, ...props }: ProcessingButtonProps) {
  const [processing, setProcessing] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);
  usePageRestored(() => setProcessing(false));

  function start() {
    setProcessing(true);
    timer.current = setTimeout(onProcessed, timing.navigationDelayMs);
  }

  return (
    <Button loading={processing} onClick={start} {...props}>
      {processing ? "Processing..." : children}
    </Button>
  );
}
