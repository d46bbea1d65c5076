import { StartOverNotice } from "@/components/flow/screens/start-over-notice";
import { pageMetadata } from "@/app/page-metadata";
import { Island } from "../../island";

export const metadata = pageMetadata("startOver");

/** Renders the start-over notice. middleware.ts serves this page instead of a step that is not allowed yet. */
export default function StartOverPage() {
  return <Island name="flow/start-over" component={StartOverNotice} props={{}} />;
}
