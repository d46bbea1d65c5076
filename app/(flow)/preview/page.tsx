import { Preview } from "@/components/flow/preview";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/env";

export const metadata = pageMetadata("preview");

/** The preview of the flow's post, beside the steps. The guard serves it under `/preview/{postId}`. */
export default function PreviewPage() {
  return <Preview demo={getSiteSettings().demoMode} />;
}
