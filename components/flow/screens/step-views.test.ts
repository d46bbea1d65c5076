import { isFailed, type StepView } from "@/components/flow/screens/step-views";

const views: Record<StepView, boolean> = {
  loading: false,
  ready: false,
  pending: false,
  waiting: false,
  "not-loaded": true,
  "no-post": true,
  "status-unknown": true,
  "not-sent": true,
};

test.each(Object.entries(views) as [StepView, boolean][])(
  "a step that shows %s is failed: %s; an error fails it, waiting and trying again do not",
  (view, failed) => expect(isFailed(view)).toBe(failed),
);
