import type { ReactNode, Ref } from "react";
import { StepIndicator, type StepIndicatorProps } from "@/components/flow/step-indicator";

export interface FlowScreenProps {
  step: StepIndicatorProps["current"];
  failed?: boolean;
  heading: ReactNode;
  /** For moving the focus here when the view changes; see use-view-focus.ts. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** One sentence under the heading. */
  lead?: ReactNode;
  /** Stands beside the column where there is room, else below it. */
  aside?: ReactNode;
  children: ReactNode;
}

const leadId = "lead";

/** The frame of every step: where the visitor is, the page's one h1, and the step's content. */
export function FlowScreen({ step, failed, heading, headingRef, lead, aside, children }: FlowScreenProps) {
  return (
    <div className="page-width py-4 sm:py-10">
      <div className="mx-auto flex max-w-column flex-col gap-8 lg:max-w-none lg:flex-row lg:justify-center lg:gap-12">
        <div className="flex w-full min-w-0 flex-col gap-4 sm:gap-5 lg:max-w-column">
          <StepIndicator current={step} failed={failed} />
          <div className="mt-2 flex flex-col gap-2 sm:mt-4">
            {/* Read together where the focus comes here: the sentence says what the heading does not. */}
            <h1
              ref={headingRef}
              tabIndex={-1}
              aria-describedby={lead ? leadId : undefined}
              className="text-[1.75rem] outline-none sm:text-4xl"
            >
              {heading}
            </h1>
            {lead && (
              <p id={leadId} className="text-muted-foreground sm:text-lg">
                {lead}
              </p>
            )}
          </div>
          {children}
        </div>
        {aside && <aside className="shrink-0 lg:pt-26">{aside}</aside>}
      </div>
    </div>
  );
}
