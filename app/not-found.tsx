import { Scene } from "@/components/content/scene";
import { ErrorScreen } from "@/components/site/error-screen";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";

export const metadata = pageMetadata("notFound");

/** Renders the 404 page. */
export default function NotFound() {
  return (
    <SitePage name="notFound">
      <ErrorScreen status={404}>
        <Scene name="lost" className="h-32" />
      </ErrorScreen>
    </SitePage>
  );
}
