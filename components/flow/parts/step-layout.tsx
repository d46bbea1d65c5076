import type { ReactNode, Ref } from "react";
import { CheckIcon, XIcon } from "lucide-react";
import { Alert } from "@/components/ui/alert";
import { cn } from "@/lib/client/cn";
import { steps } from "@/lib/http/pages";

type State = "done" | "unchecked" | "current" | "failed" | "upcoming";

/** Text before a step's name, for screen readers only. */
const stateTexts: Record<State, string> = {
  done: "Completed: ",
  unchecked: "Not checked: ",
  current: "Current: ",
  failed: "Failed: ",
  upcoming: "Not started: ",
};

/** The step that checks the post. */
const checkStep = steps.indexOf("Verify") + 1;

const markClass: Record<State, string> = {
  done: "rounded-full border border-primary bg-primary text-primary-foreground",
  unchecked: "rounded-full border border-primary bg-card text-primary",
  current: "rounded-full border-2 border-primary bg-card text-primary ring-3 ring-primary-soft",
  failed:
    "rounded-[0.5rem] border border-destructive bg-destructive text-destructive-foreground ring-3 ring-destructive-soft",
  upcoming: "rounded-full border border-input bg-background text-muted-foreground",
};

const icons: Partial<Record<State, typeof XIcon>> = { done: CheckIcon, failed: XIcon };

interface StepIndicatorProps {
  current: 1 | 2 | 3 | 4;
  failed?: boolean;
  /** True if step 2 is over without a check of the post. */
  unchecked?: boolean;
}

/** Renders the four steps and marks the current step. Each state has its own mark, text and colour. */
export function StepIndicator({ current, failed, unchecked }: StepIndicatorProps) {
  return (
    <ol
      role="list"
      aria-label="Steps"
      // On wide screens the last column is as wide as its text, so the steps end at the edge of the main column.
      className="grid w-full max-w-column grid-cols-4 sm:grid-cols-[1fr_1fr_1fr_minmax(4rem,auto)] lg:max-w-beside"
    >
      {steps.map((name, index) => {
        const number = index + 1;
        const isCurrent = number === current;
        const state = stateOf(number, { current, failed, unchecked });
        const Icon = icons[state];
        return (
          <li
            key={name}
            aria-current={isCurrent ? "step" : undefined}
            className="relative flex flex-col items-center gap-1 text-center sm:items-start sm:gap-2 short:flex-row"
          >
            {number < steps.length && (
              <span
                aria-hidden="true"
                className={cn(
                  "absolute top-3 right-[calc(-50%+1.25rem)] left-[calc(50%+1.25rem)] -translate-y-1/2 sm:top-4 sm:right-2 sm:left-10 short:hidden",
                  number < current ? "border-t-2 border-primary" : "border-t border-input",
                )}
              />
            )}
            <span
              aria-hidden="true"
              className={cn(
                "tabular-nums grid size-6 place-items-center font-display text-sm font-bold sm:size-8 short:size-6",
                markClass[state],
              )}
            >
              {Icon ? (
                <Icon className="size-4 stroke-[2.5]" />
              ) : (
                <span className="leading-none">{number}</span>
              )}
            </span>
            <span
              className={cn(
                "text-2xs sm:text-sm",
                isCurrent ? "font-semibold" : "text-muted-foreground",
                state === "failed" && "text-destructive",
              )}
            >
              <span className="sr-only">{stateTexts[state]}</span>
              {name}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function stateOf(number: number, { current, failed, unchecked }: StepIndicatorProps): State {
  if (number > current) return "upcoming";
  if (number === current && failed) return "failed";
  if (number === checkStep && number < current && unchecked) return "unchecked";
  // The visitor has nothing to do on the last step, so the last step is done when the visitor reaches it.
  return number < current || number === steps.length ? "done" : "current";
}

export interface StepLayoutProps extends StepIndicatorProps {
  heading: ReactNode;
  headingRef?: Ref<HTMLHeadingElement>;
  /** True for a page without scripts: the browser then focuses the heading when the page opens. */
  focusHeading?: boolean;
  lead?: ReactNode;
  /** Warning above the heading. Screen readers read it after the heading. */
  notice?: { title: string; text: string } | null;
  children: ReactNode;
  /** Shown below the content, and beside it on wide screens. The same element in all views. */
  aside?: ReactNode;
}

/** Renders the layout of a step: the step indicator, the page's only `h1`, and the content. */
export function StepLayout(props: StepLayoutProps) {
  const { heading, headingRef, focusHeading, lead, notice, children, aside, ...progress } = props;
  return (
    <div className="step-page">
      <StepIndicator {...progress} />
      <div className="step-columns short:grid-cols-1">
        <div className="step-column">
          {notice && (
            <Alert id="notice" variant="warning" title={notice.title}>
              <p>{notice.text}</p>
            </Alert>
          )}
          {/* With aria-describedby, screen readers read these texts when the heading gets the focus. */}
          <header key={notice ? 1 : 0}>
            <h1
              ref={headingRef}
              tabIndex={-1}
              autoFocus={focusHeading}
              aria-describedby={[notice && "notice", lead && "lead"].filter(Boolean).join(" ") || undefined}
              className="outline-none"
            >
              {heading}
            </h1>
            {lead && (
              // Two lines on phones, so that a longer text moves nothing.
              <p
                id="lead"
                className="mt-1.5 min-h-[2lh] text-sm text-muted-foreground sm:mt-2 sm:min-h-0 sm:text-lg"
              >
                {lead}
              </p>
            )}
          </header>
          {/* New content, which may have a lead above it, gets a new element: browsers count one that moves as a layout shift. */}
          <div key={`${String(heading)} ${Boolean(lead)}`} className="step-column">
            {children}
          </div>
        </div>
        {aside}
      </div>
    </div>
  );
}
