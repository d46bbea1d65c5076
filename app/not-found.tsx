import { ErrorScreen } from "@/components/site/error-screen";
import { pageMetadata } from "@/components/site/page-metadata";
import { Fifty } from "@/components/ui/fifty";
import { fifty } from "@/lib/fifty";

export const metadata = pageMetadata("notFound");

export default function NotFound() {
  return <ErrorScreen status={404} picture={<Fifty filled={fifty.dots - 1} className="w-32" />} />;
}
