import type { ReactNode, Ref } from "react";
import { DotGrid, type Dots } from "@/components/ui/dot-grid";

export interface StepHeadingProps {
  heading: ReactNode;
  /** Ref from `useFocusOnViewChange`, which focuses the heading when the view changes. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** True for a page without scripts: the browser then focuses the heading when the page opens. */
  focusHeading?: boolean;
  lead?: ReactNode;
  /** The dots beside the heading. Their caption replaces the lead, except while nothing was sent. */
  dots?: Dots | null;
  /** Id of a text that screen readers read after the heading. */
  describedBy?: string;
}

/** Renders the page's only `h1`, a text below it, and the dots. */
export function StepHeading(props: StepHeadingProps) {
  const { heading, headingRef, focusHeading, lead, dots, describedBy } = props;
  const caption = dots && (dots.state !== "open" || !lead) && dots.caption;
  const text = caption || lead;
  return (
    <div className="step-heading">
      <div>
        {/* With aria-describedby, screen readers read these texts when the heading gets the focus. */}
        <h1
          ref={headingRef}
          tabIndex={-1}
          autoFocus={focusHeading}
          aria-describedby={[describedBy, text && "lead"].filter(Boolean).join(" ") || undefined}
          className="flex-1 basis-40 outline-none"
        >
          {heading}
        </h1>
        {text && (
          <p
            id="lead"
            // The caption is also the name of the picture, which screen readers read, except if the dots are open.
            aria-hidden={caption && dots?.state !== "open" ? true : undefined}
            className="text-sm text-muted-foreground sm:text-lg"
          >
            {text}
          </p>
        )}
      </div>
      {dots && (
        <DotGrid dots={dots} captionId={caption ? "lead" : undefined} className="w-24 sm:w-36 lg:w-44" />
      )}
    </div>
  );
}
