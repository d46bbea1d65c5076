import { ChevronDownIcon } from "lucide-react";
import type { PrivateAccountGuide } from "@/lib/content/private-account-guides";

/** Renders guides that explain how to make an account public. Only the first guide is open at the start. */
export function PrivateAccountGuides({ guides }: { guides: readonly PrivateAccountGuide[] }) {
  return (
    <>
      <div className="divide-y rounded border bg-card shadow">
        {guides.map(({ title, steps }, index) => (
          <details key={title} open={index === 0} className="group">
            <summary className="flex min-h-12 list-none items-center justify-between gap-3 px-4 py-3 font-semibold sm:px-6 [&::-webkit-details-marker]:hidden">
              {title}
              <ChevronDownIcon className="transition-transform group-open:rotate-180" />
            </summary>
            <ol className="list-decimal space-y-1.5 pr-3 pb-5 pl-8 sm:pr-6 sm:pl-12 *:pl-1">
              {steps.map((step) => (
                <li key={step}>{step}</li>
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
    </>
  );
}
