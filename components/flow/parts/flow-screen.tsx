import type { ReactNode, Ref } from "react";
import { cn } from "@/lib/client/cn";
import { StepIndicator, type StepIndicatorProps } from "@/components/flow/parts/step-indicator";

export interface FlowScreenProps {
  step: StepIndicatorProps["current"];
  failed?: boolean;
  heading: ReactNode;
  /** Ref from `useFocusOnViewChange`, which focuses the heading when the view changes. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** True for a page without scripts: the browser then focuses the heading when the page opens. */
  focusHeading?: boolean;
  lead?: ReactNode;
  /** Advertisement, shown next to the content on wide screens and below the content on other screens. */
  aside?: ReactNode;
  children: ReactNode;
}

const leadId = "lead";

/** Renders the layout of a step: the step indicator, the page's only `h1` and the content. */
export function FlowScreen(props: FlowScreenProps) {
  const { step, failed, heading, headingRef, focusHeading, lead, aside, children } = props;
  return (
    <div className="page-width flex flex-col gap-6 py-4 sm:gap-9 sm:py-10">
      <StepIndicator current={step} failed={failed} />
      <div
        className={cn("grid grid-cols-1 gap-x-12 gap-y-6 sm:gap-y-9", aside && "lg:grid-cols-column-aside")}
      >
        <div className="flex max-w-column min-w-0 flex-col gap-4 sm:gap-5">
          <div className="flex flex-col gap-2">
            {/* With aria-describedby, screen readers read the lead aloud when the heading gets the focus. */}
            <h1
              ref={headingRef}
              tabIndex={-1}
              autoFocus={focusHeading}
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
        {aside && <aside>{aside}</aside>}
      </div>
    </div>
  );
}
