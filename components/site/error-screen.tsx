import type { ReactNode } from "react";
import { ButtonLink, Button } from "@/components/ui/button";
import { ArrowLeftIcon } from "lucide-react";
import { errorPages } from "@/lib/content/site";

/** Renders an error page. The site script handles "Go Back", and reports the path of a 404 page. */
export function ErrorScreen({ status, children }: { status: 404 | 500; children?: ReactNode }) {
  const { title, description } = status === 404 ? errorPages.notFound : errorPages.failure;
  return (
    <div
      data-not-found={status === 404 || undefined}
      className="page-width flex flex-col items-start gap-4 py-12 *:max-w-column sm:py-20"
    >
      {children}
      <p className="tabular-nums font-display text-7xl leading-none font-bold tracking-tight text-primary">
        {status}
      </p>
      <h1 className="mt-2">{title}</h1>
      <p className="text-lg text-muted-foreground">{description}</p>
      <div className="mt-2 flex w-full flex-col gap-3 sm:w-auto sm:flex-row">
        <ButtonLink href="/" size="lg">
          Back to Home
        </ButtonLink>
        <Button data-go-back variant="outline" size="lg" className="no-script:hidden">
          <ArrowLeftIcon />
          Go Back
        </Button>
      </div>
    </div>
  );
}

/** Replaces the content of a page after a rendering error. Header and footer remain visible. */
export function FailedPage() {
  return (
    <>
      <title>{errorPages.failure.title}</title>
      <meta name="robots" content="noindex" />
      <ErrorScreen status={500} />
    </>
  );
}
