import { ClientStartOverNotice } from "./client-notice";
import { Island } from "@/components/islands/island";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("startOver");

/** Renders the start-over notice. The flow guard serves this page in place of a blocked step. */
export default function StartOverPage() {
  return <Island name="flow/start-over" component={ClientStartOverNotice} props={{}} />;
}
