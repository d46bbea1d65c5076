"use client";

import type { Ref } from "react";
import { Actions } from "@/components/flow/actions";
import { BackToHome } from "@/components/flow/back-to-home";
import { FlowScreen } from "@/components/flow/flow-screen";
import { useTitle } from "@/components/flow/use-title";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

export interface PreviewUnavailableProps {
  /** Left out where asking again cannot help. */
  onRetry?: () => void;
}

/** There is nothing to preview: no id, no such public post, or no answer. */
export function PreviewUnavailable({ onRetry }: PreviewUnavailableProps) {
  useTitle("Preview Not Available");
  return (
    <FlowScreen step={3} failed heading="Preview Not Available">
      <Alert variant="destructive" role="alert" title="Failed to load post details">
        <p>
          Please make sure that the content is public and that the URL is from a post or reel, not from a
          profile.
        </p>
      </Alert>
      <Actions>
        {onRetry && (
          <Button size="lg" onClick={onRetry}>
            Try Again
          </Button>
        )}
        <BackToHome />
      </Actions>
    </FlowScreen>
  );
}

export interface PreviewErrorProps {
  /** The server's words, if it sent any. */
  message: string | null;
  headingRef: Ref<HTMLHeadingElement>;
  /** Left out where asking again cannot help. */
  onRetry?: () => void;
}

/** The request failed: why, as far as it is known, or what to check. */
export function PreviewError({ message, headingRef, onRetry }: PreviewErrorProps) {
  return (
    <FlowScreen step={3} failed heading="Oops! Something went wrong" headingRef={headingRef}>
      <Alert variant="destructive">
        {message === null ? <Checklist /> : isPrivate(message) ? <PrivateAdvice /> : <p>{message}</p>}
      </Alert>
      <Actions>
        {onRetry && (
          <Button size="lg" onClick={onRetry}>
            Try Again
          </Button>
        )}
        <BackToHome />
      </Actions>
    </FlowScreen>
  );
}

function isPrivate(message: string): boolean {
  return message.toLowerCase().includes("private");
}

function PrivateAdvice() {
  return (
    <>
      <p>This post appears to be from a private Instagram account.</p>
      <p>Please make your account public in Instagram settings before requesting likes.</p>
    </>
  );
}

function Checklist() {
  return (
    <>
      <p>Please check that:</p>
      <ul className="list-disc pl-5">
        <li>The content is public</li>
        <li>The URL is correct</li>
        <li>The post hasn&apos;t been deleted</li>
      </ul>
    </>
  );
}
