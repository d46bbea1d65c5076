"use client";

import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CircleCheckIcon } from "lucide-react";

interface MessageReceivedProps {
  title: string;
  /** Text before the email address, for example "Our answer comes by email to". */
  next: string;
  email: string;
  /** Height of the form in pixels. The confirmation is as high, so that the content below does not move. */
  height?: number;
  onSendAnother: () => void;
}

/** Renders the confirmation that replaces the form after success. Focuses the heading of the confirmation. */
export function MessageReceived({ title, next, email, height, onSendAnother }: MessageReceivedProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div
      data-message
      style={{ minHeight: height }}
      className="flex animate-appear flex-col items-start gap-4"
    >
      <CircleCheckIcon className="size-10 text-success" />
      <div className="flex flex-col gap-1.5">
        <h3 ref={heading} tabIndex={-1} className="scroll-mt-20 text-xl outline-none">
          {title}
        </h3>
        <p className="text-muted-foreground">
          {next}{" "}
          <strong translate="no" className="font-semibold wrap-anywhere text-foreground">
            {email}
          </strong>
          . Is that address wrong? Then please send it once more.
        </p>
      </div>
      <Button variant="outline" onClick={onSendAnother}>
        Send another
      </Button>
    </div>
  );
}
