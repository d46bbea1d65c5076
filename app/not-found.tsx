import { ErrorScreen } from "@/components/site/error-screen";
import { pageMetadata } from "@/app/page-metadata";

export const metadata = pageMetadata("notFound");

/** Renders the 404 page. */
export default function NotFound() {
  return <ErrorScreen status={404} />;
}
