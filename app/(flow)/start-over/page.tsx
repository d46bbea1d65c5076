import { LiveNotice } from "./live-notice";
import { Island } from "@/components/islands/island";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("startOver");

/** Served by the flow guard in place of a step that may not open yet. */
export default function StartOverPage() {
  return <Island name="flow/start-over" part={LiveNotice} props={{}} />;
}
