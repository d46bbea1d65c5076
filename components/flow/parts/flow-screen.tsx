import { useEffect, useRef } from "react";
import { StartOverNotice } from "@/components/flow/parts/start-over-notice";
import { StepLayout, type StepLayoutProps } from "@/components/flow/parts/step-layout";
import { startOverHead } from "@/lib/content/start-over";

/** Views that show an error. Loading and waiting are not errors. */
const failedViews: ReadonlySet<string> = new Set(["not-loaded", "no-post", "status-unknown", "not-sent"]);

export interface FlowScreenProps extends Omit<StepLayoutProps, "headingRef"> {
  heading: string;
  /** The document title. Default: the heading. */
  title?: string;
  /** Name of the current view. When it changes, the heading gets the focus, because the pressed button disappears. */
  view: string;
  /** True shows the notice to start again. */
  flowEnded?: boolean;
}

/** Renders a step whose view changes in the browser, and sets the title of the document. */
export function FlowScreen(props: FlowScreenProps) {
  const { view, flowEnded, title = props.heading, failed = failedViews.has(view), ...layout } = props;
  const documentTitle = flowEnded ? startOverHead.title : title;
  const heading = useRef<HTMLHeadingElement>(null);
  const previousView = useRef(view);

  useEffect(() => {
    // Keeps the site's name at the end, for example " | Boost50".
    document.title = documentTitle + (/ \| [^|]*$/.exec(document.title)?.[0] ?? "");
  }, [documentTitle]);
  useEffect(() => {
    if (previousView.current !== view) heading.current?.focus();
    previousView.current = view;
  }, [view]);

  return flowEnded ? <StartOverNotice /> : <StepLayout headingRef={heading} failed={failed} {...layout} />;
}
