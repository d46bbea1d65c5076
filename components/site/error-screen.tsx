import { buttonVariants } from "@/components/ui/button-variants";
import { ArrowLeftIcon } from "lucide-react";
import { errorPages } from "@/lib/content/error-pages";

const home = "/";

/** Returns the title and the description of the error page for an HTTP status. */
export function errorTexts(status: number) {
  return status === 404 ? errorPages.notFound : errorPages.failure;
}

/** Renders an error page. The site script handles "Go Back", and reports the path of a 404 page. */
export function ErrorScreen({ status = 404 }: { status?: number }) {
  const { title, description } = errorTexts(status);
  return (
    <div
      data-not-found={status === 404 || undefined}
      className="page-width flex flex-col items-start gap-4 py-12 *:max-w-column sm:py-20"
    >
      <p className="tabular-nums font-display text-7xl leading-none font-bold tracking-tight text-primary">
        {status}
      </p>
      <h1 className="mt-2">{title}</h1>
      <p className="text-lg text-muted-foreground">{description}</p>
      <div className="mt-2 flex w-full flex-col gap-3 sm:w-auto sm:flex-row">
        <a href={home} className={buttonVariants({ size: "lg" })}>
          Back to Home
        </a>
        <button
          type="button"
          data-go-back
          className={buttonVariants({ variant: "outline", size: "lg", className: "no-script:hidden" })}
        >
          <ArrowLeftIcon />
          Go Back
        </button>
      </div>
    </div>
  );
}
