import { ErrorScreen } from "@/components/site/error-screen";
import { pageMetadata } from "@/app/page-metadata";
import { DotGrid } from "@/components/ui/dot-grid";
import { dotGrid } from "@/lib/brand/dot-grid";

export const metadata = pageMetadata("notFound");

/** Renders the 404 page. The picture shows 50 dots, and one of the dots is not filled. */
export default function NotFound() {
  return <ErrorScreen status={404} picture={<DotGrid filled={dotGrid.dots - 1} className="w-32" />} />;
}
