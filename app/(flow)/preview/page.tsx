import { Preview } from "@/components/flow/screens/preview";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { Island } from "../../island";

export const metadata = pageMetadata("preview");

/** Renders the preview of the visitor's post. middleware.ts serves this page at `/preview/{postId}`. */
export default function PreviewPage() {
  return <Island name="flow/preview" component={Preview} props={{ demo: getSiteSettings().demoMode }} />;
}
