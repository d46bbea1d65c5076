import { Preview } from "@/components/flow/screens/preview";
import { Island } from "@/components/islands/island";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";

export const metadata = pageMetadata("preview");

/** The preview of the flow's post, beside the steps. The guard serves it under `/preview/{postId}`. */
export default function PreviewPage() {
  return <Island name="flow/preview" part={Preview} props={{ demo: getSiteSettings().demoMode }} />;
}
