import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { Island } from "../../island";

export const metadata = pageMetadata("startOver");

/** Renders the start-over notice. middleware.ts serves this page instead of a step that is not allowed yet. */
export default function StartOverPage() {
  return (
    <SitePage name="startOver">
      <Island name="flow/start-over" props={{}} />
    </SitePage>
  );
}
