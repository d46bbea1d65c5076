import { PrivateAccountGuides } from "@/components/content/private-account-guides";
import { ActionLink, Actions } from "@/components/flow/parts/actions";
import { StepLayout } from "@/components/flow/parts/step-layout";
import { Alert } from "@/components/ui/alert";
import type { PrivateAccountGuide } from "@/lib/content/private-account-guides";
import { pages } from "@/lib/http/pages";

export interface PrivateAccountProps {
  /** Guides that explain how to make an account public. Only the first guide is open at the start. */
  guides: readonly PrivateAccountGuide[];
  /** True if the account is private. False if the reason is unknown, for example a deleted post. */
  isPrivate: boolean;
}

/** Renders the error page for a private or missing post. The more likely solution comes first. */
export function PrivateAccount({ guides, isPrivate }: PrivateAccountProps) {
  const guide = (
    <section aria-labelledby="guide" className="flex flex-col gap-3">
      <h2 id="guide">How to make your account public</h2>
      {!isPrivate && (
        <p className="text-muted-foreground">
          You can open the post in the app, but not where you are logged out? Then its account may be private.
        </p>
      )}
      <PrivateAccountGuides guides={guides} />
    </section>
  );
  return (
    <StepLayout
      current={2}
      failed
      focusHeading
      heading="We Can't See This Post"
      lead={
        isPrivate
          ? "It belongs to a private account. Nothing was requested."
          : "It may be deleted, the link may have a mistake, or not everyone can see it. Nothing was requested."
      }
    >
      {isPrivate ? (
        <>
          <Alert variant="destructive" title="We cannot deliver likes to private Instagram posts.">
            <p>Only posts that everyone can see can get likes.</p>
          </Alert>
          {guide}
        </>
      ) : (
        <Alert variant="destructive" title="We found no public post under this link.">
          <p>We cannot deliver likes to private Instagram posts.</p>
        </Alert>
      )}
      <Actions>
        <ActionLink main href={`${pages.verification.path}/`}>
          Check this post again
        </ActionLink>
        <ActionLink href={pages.home.path}>Try Another Post</ActionLink>
        <ActionLink href={pages.home.path}>Start from Step 1</ActionLink>
      </Actions>
      {!isPrivate && guide}
    </StepLayout>
  );
}
