import { ErrorScreen } from "@/components/site/error-screen";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("failure");

/** Served when a page could not be made; the last step of the build puts it in the place of the framework's own. */
export default function FailurePage() {
  return <ErrorScreen status={500} />;
}
