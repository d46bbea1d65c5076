"use client";

import type { ReactNode } from "react";
import { Actions, TryAgain, TryAnotherPost } from "@/components/flow/parts/actions";
import { BackToHome } from "@/components/flow/parts/back-to-home";
import type { Remedy } from "@/components/flow/hooks/use-like-request";
import { Alert } from "@/components/ui/alert";
import { failureReason } from "@/lib/client/api/api-client";

/** Renders the error for a missing or private post, or a URL without post id, and a link to the link field on the home page. */
export function PostNotFound({ message, isPrivate }: { message: string; isPrivate?: boolean }) {
  return (
    <PreviewUnavailable action={<TryAnotherPost />}>
      {isPrivate ? <PrivateAdvice /> : <p>{message}</p>}
      <p className="mt-1.5">
        Please make sure that the content is public and that the URL is from a post or reel, not from a
        profile.
      </p>
    </PreviewUnavailable>
  );
}

/** Renders the error after a failed request for the post details, with a retry button. */
export function PostNotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <PreviewUnavailable action={<TryAgain onRetry={onRetry} />}>
      <p>{failureReason(error)}</p>
    </PreviewUnavailable>
  );
}

function PreviewUnavailable({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <>
      <Alert variant="destructive" role="alert" title="Failed to load post details">
        {children}
      </Alert>
      <Actions>
        {action}
        <BackToHome />
      </Actions>
    </>
  );
}

export interface PreviewErrorProps {
  /** Message for the visitor. Null if the failed request has no message. */
  message: string | null;
  remedy: Remedy;
  onRetry: () => void;
}

/** Renders the error after a failed request for likes. Shows possible causes if there is no message. */
export function PreviewError({ message, remedy, onRetry }: PreviewErrorProps) {
  const isPrivate = message !== null && message.toLowerCase().includes("private");
  return (
    <>
      <Alert variant="destructive">
        {message === null ? <Checklist /> : isPrivate ? <PrivateAdvice /> : <p>{message}</p>}
        {remedy === "another post" && <p className="mt-1.5">{refusedText}</p>}
      </Alert>
      <Actions>
        {/* The owner can make a private account public, so another try with the same post can succeed. */}
        {remedy === "again" || isPrivate ? (
          <TryAgain onRetry={onRetry} />
        ) : (
          remedy === "another post" && <TryAnotherPost />
        )}
        <BackToHome />
      </Actions>
    </>
  );
}

/** Shown after the delivery service refused an order. */
export const refusedText = "This did not count; your 4 hours have not started.";

/** Says that the account is private, and what its owner can do. */
export function PrivateAdvice() {
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
