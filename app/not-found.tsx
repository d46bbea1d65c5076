import { ErrorScreen } from "@/components/site/error-screen";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("notFound");

export default function NotFound() {
  return <ErrorScreen status={404} />;
}
