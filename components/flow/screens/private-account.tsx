import { Actions } from "@/components/flow/parts/actions";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { Alert } from "@/components/ui/alert";
import { ButtonLink } from "@/components/ui/button";
import { ChevronDownIcon } from "@/components/ui/icons";
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
  return (
    <FlowScreen step={2} failed heading="We Can't See This Post">
      {isPrivate ? (
        <Alert variant="destructive" title="We cannot deliver likes to private Instagram posts.">
          <p>Only posts that everyone can see can get likes, and this one belongs to a private account.</p>
        </Alert>
      ) : (
        <>
          <Alert variant="destructive" title="There is no public post under this link.">
            <p>It was deleted, or the link has a mistake, or its account is private.</p>
            <p className="mt-1.5">We cannot deliver likes to private Instagram posts.</p>
          </Alert>
          <NextActions />
        </>
      )}

      <section aria-labelledby="guide" className="flex flex-col gap-3">
        <h2 id="guide" className="text-xl">
          How to make your account public
        </h2>
        {!isPrivate && (
          <p className="text-muted-foreground">
            You can open the post in the app, but not where you are logged out? Then its account is private.
          </p>
        )}
        <div className="divide-y rounded border bg-card shadow">
          {guides.map(({ title, steps }, index) => (
            <details key={title} open={index === 0} className="group">
              <summary className="flex min-h-12 list-none items-center justify-between gap-3 px-4 py-3 font-semibold sm:px-6 [&::-webkit-details-marker]:hidden">
                {title}
                <ChevronDownIcon className="transition-transform group-open:rotate-180" />
              </summary>
              <ol className="list-decimal space-y-1.5 pr-4 pb-5 pl-10 sm:pr-6 sm:pl-12">
                {steps.map((step) => (
                  <li key={step} className="pl-1">
                    {step}
                  </li>
                ))}
              </ol>
            </details>
          ))}
        </div>
        <p className="text-muted-foreground">
          After making the account public, wait a few minutes before you try again: Instagram needs a moment.
          You can make it private again later. Everyone can see a public account&apos;s posts, so decide what
          suits you.
        </p>
        <p className="text-muted-foreground">We never ask for your Instagram password.</p>
      </section>

      {isPrivate && <NextActions />}
    </FlowScreen>
  );
}

function NextActions() {
  return (
    <Actions>
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
