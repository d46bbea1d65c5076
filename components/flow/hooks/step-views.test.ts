import { isFailedView, type StepView } from "./step-views";

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

it.each(Object.entries(views) as [StepView, boolean][])("isFailedView(%j) returns %j", (view, failed) =>
  expect(isFailedView(view)).toBe(failed),
);
