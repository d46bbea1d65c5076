import { StartOverNotice } from "@/components/flow/start-over-notice";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("startOver");

/** Served by the flow guard in place of a step that may not open yet. */
export default function StartOverPage() {
  return <StartOverNotice />;
}
