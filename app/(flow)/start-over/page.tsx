import { ClientStartOverNotice } from "./client-notice";
import { Island } from "@/components/islands/island";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("startOver");

/** Renders the start-over notice. middleware.ts serves this page instead of a step that is not allowed yet. */
export default function StartOverPage() {
  return <Island name="flow/start-over" component={ClientStartOverNotice} props={{}} />;
}
