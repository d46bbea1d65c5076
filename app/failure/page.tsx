import { ErrorScreen } from "@/components/site/error-screen";
import { pageMetadata } from "@/app/page-metadata";

export const metadata = pageMetadata("failure");

/** Error page for status 500. scripts/post-process-build.ts replaces the error page of Next.js with this page. */
export default function FailurePage() {
  return <ErrorScreen status={500} />;
}
