import { ErrorScreen } from "@/components/site/error-screen";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";

export const metadata = pageMetadata("failure");

/** Error page for status 500. scripts/lib/post-process-pages.ts replaces the error page of Next.js with this page. */
export default function FailurePage() {
  return (
    <SitePage name="failure">
      <ErrorScreen status={500} />
    </SitePage>
  );
}
