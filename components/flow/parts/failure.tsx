import type { ReactNode } from "react";
import { ActionLink, Actions } from "@/components/flow/parts/actions";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { IneligiblePost } from "@/lib/schemas/api-responses";
import { linkFieldPath, pages } from "@/lib/http/pages";

export const backToHome = <ActionLink href={pages.home.path}>Back to Home</ActionLink>;
export const tryAnotherPost = (
  <ActionLink main href={linkFieldPath}>
    Try Another Post
  </ActionLink>
);

export interface FailureProps {
  title?: string;
  /** What has failed. */
  children: ReactNode;
  /** Cause or advice, below the rest. */
  cause?: ReactNode;
  /** Main action: a retry, a link, or null for none. Default: a link to the link field on the home page. */
  action?: (() => void) | ReactNode;
  back?: ReactNode;
  /** False if another element announces the message. */
  announced?: boolean;
}

/** Renders an error, and below it what the visitor can do. */
export function Failure(props: FailureProps) {
  const { title, children, cause, action = tryAnotherPost, back = backToHome, announced = true } = props;
  return (
    <>
      <Alert variant="destructive" role={announced ? "alert" : undefined} title={title}>
        {children}
        {cause && <div className="mt-1.5">{cause}</div>}
      </Alert>
      <Actions>
        {typeof action === "function" ? (
          <Button size="lg" onClick={action}>
            Try Again
          </Button>
        ) : (
          action
        )}
        {back}
      </Actions>
    </>
  );
}

/** Says that the account is private, and what its owner can do. */
export const privateAdvice = (
  <>
    <p>This post appears to be from a private Instagram account.</p>
    <p>Please make your account public in Instagram settings before requesting likes.</p>
  </>
);

/** Returns the reason why a post cannot get likes. */
export function explain({ code, message }: IneligiblePost): ReactNode {
  return code === "post_private" ? privateAdvice : <p>{message}</p>;
}

/** Shown if an order may exist. */
export const unknownOutcome = <p className="mt-1.5">Your request may have arrived. It never counts twice.</p>;

/** Shown after the delivery service refused an order. */
export const refusedText = "This did not count; your 4 hours have not started.";
