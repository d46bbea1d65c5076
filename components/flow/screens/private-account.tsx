import { PrivateAccountGuides } from "@/components/content/private-account-guides";
import { Actions } from "@/components/flow/parts/actions";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { Alert } from "@/components/ui/alert";
import { ButtonLink } from "@/components/ui/button";
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
      <h2 id="guide" className="text-xl">
        How to make your account public
      </h2>
      {!isPrivate && (
        <p className="text-muted-foreground">
          You can open the post in the app, but not where you are logged out? Then its account may be private.
        </p>
      )}
      <PrivateAccountGuides guides={guides} />
    </section>
  );
  return (
    <FlowScreen
      step={2}
      failed
      focusHeading
      heading="We Can't See This Post"
      lead={
        isPrivate
          ? "It belongs to a private account. Nothing was requested."
          : "It may be deleted, the link may have a mistake, or not everyone can see it. Nothing was requested."
      }
      subject={
        isPrivate && (
          <>
            <Alert variant="destructive" title="We cannot deliver likes to private Instagram posts.">
              <p>Only posts that everyone can see can get likes.</p>
            </Alert>
            {guide}
          </>
        )
      }
    >
      {!isPrivate && (
        <Alert variant="destructive" title="We found no public post under this link.">
          <p>We cannot deliver likes to private Instagram posts.</p>
        </Alert>
      )}
      <NextActions framed={isPrivate} />
      {!isPrivate && guide}
    </FlowScreen>
  );
}

function NextActions({ framed }: { framed: boolean }) {
  return (
    <Actions framed={framed}>
      <ButtonLink href={`${pages.verification.path}/`} size="lg">
        Check this post again
      </ButtonLink>
      <ButtonLink href={pages.home.path} variant="outline" size="lg">
        Try Another Post
      </ButtonLink>
      <ButtonLink href={pages.home.path} variant="outline" size="lg">
        Start from Step 1
      </ButtonLink>
    </Actions>
  );
}
