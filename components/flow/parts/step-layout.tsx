import type { ReactNode } from "react";
import { StepHeading, type StepHeadingProps } from "@/components/flow/parts/step-heading";
import { StepIndicator, type StepIndicatorProps } from "@/components/flow/parts/step-indicator";
import { cn } from "@/lib/client/cn";

export interface FlowScreenProps extends Omit<StepHeadingProps, "describedBy"> {
  step: StepIndicatorProps["current"];
  failed?: boolean;
  /** True if step 2 could not check the post. */
  unchecked?: boolean;
  /** Shown above the heading. Screen readers read it after the heading. */
  notice?: ReactNode;
  /** Shown below the heading, for example the post. */
  subject?: ReactNode;
  /** The action of the step. Wide screens show it beside the subject, or in one column if there is no subject. */
  children: ReactNode;
  /** Shown below the action. The same element in all views. */
  advertisement?: ReactNode;
}

/** Renders the layout of a step: the step indicator, the heading and the content. */
export function FlowScreen({
  step,
  failed,
  unchecked,
  notice,
  subject,
  children,
  advertisement,
  ...heading
}: FlowScreenProps) {
  return (
    <div className="step-page">
      <StepIndicator current={step} failed={failed} unchecked={unchecked} />
      <div
        className={cn(
          "step-columns",
          subject ? advertisement && "lg:grid-rows-[auto_1fr] lg:*:first:row-span-2" : "lg:*:col-start-1",
        )}
      >
        <div className="step-column">
          {notice && <div id="notice">{notice}</div>}
          <StepHeading key={notice ? 1 : 0} describedBy={notice ? "notice" : undefined} {...heading} />
          {subject}
        </div>
        {/* New content gets a new element, because browsers count an element that moves as a layout shift. */}
        <div key={`${Boolean(subject)} ${String(heading.heading)}`} className="step-column">
          {children}
        </div>
        {advertisement}
      </div>
    </div>
  );
}
