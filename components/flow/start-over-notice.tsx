import { CookiesRefused } from "@/components/flow/cookies-refused";
import { ProcessingLink } from "@/components/flow/processing-button";
import { startOverHead } from "@/lib/content/start-over";
import { pages } from "@/lib/routes";

/** Shown in place of a step that was opened without the steps before it. */
export function StartOverNotice() {
  return (
    <div className="page-width flex flex-col items-start gap-4 py-12 *:max-w-column sm:py-20">
      <svg viewBox="4 0 230 40" aria-hidden="true" focusable="false" className="mb-2 w-58 max-w-full">
        <path
          d="M40 20h27m38 0h28m38 0h28"
          className="stroke-input"
          strokeWidth="1.5"
          strokeDasharray="4 4"
        />
        <circle cx="20" cy="20" r="16" className="fill-primary" />
        <path
          d="m17 16 4-3v14"
          fill="none"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-primary-foreground"
        />
        {[86, 152, 218].map((x) => (
          <circle key={x} cx={x} cy="20" r="15" fill="none" strokeWidth="1.5" className="stroke-input" />
        ))}
      </svg>
      <h1 className="text-3xl sm:text-4xl">{startOverHead.title}</h1>
      <p className="text-lg text-muted-foreground">
        This step follows from the ones before it, and we have no post from you yet, or it has been a while.
        Paste the link of your post again to continue.
      </p>
      <CookiesRefused />
      <ProcessingLink href={pages.home.path} size="lg" className="mt-2 w-full sm:w-auto">
        Start from Step 1
      </ProcessingLink>
    </div>
  );
}
