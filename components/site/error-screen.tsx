import { GoBackButton } from "@/components/site/go-back-button";
import { ReportNotFound } from "@/components/site/report-not-found";
import { Button } from "@/components/ui/button";
import { pages } from "@/lib/routes";

/** The heading of an error screen, and the title of its page. */
export function errorTitle(status: number): string {
  return status === 404 ? "Page Not Found" : "An error occurred";
}

/** What a visitor sees instead of a page: a missing address (404) or a failure. */
export function ErrorScreen({ status = 404 }: { status?: number }) {
  return (
    <div className="page-width flex max-w-column flex-col items-start gap-4 py-12 sm:py-20">
      <p className="figures font-display text-7xl leading-none font-bold tracking-tight text-primary sm:text-8xl">
        {status}
      </p>
      <h1 className="mt-2 text-3xl sm:text-4xl">{errorTitle(status)}</h1>
      <p className="text-lg text-muted-foreground">
        {status === 404
          ? "There is no page at this address. It may have moved, or the link has a typing mistake."
          : "Something went wrong on our side. Go back and try again, or start from the home page."}
      </p>
      <div className="mt-2 flex w-full flex-col gap-3 sm:w-auto sm:flex-row">
        <Button asChild size="lg">
          <a href={pages.home.path}>Back to Home</a>
        </Button>
        <GoBackButton />
      </div>
      {status === 404 && <ReportNotFound />}
    </div>
  );
}
