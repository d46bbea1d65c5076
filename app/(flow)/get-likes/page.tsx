import { GetLikes } from "@/components/flow/get-likes";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/env";

export const metadata = pageMetadata("getLikes");

/** Step 3. */
export default function GetLikesPage() {
  return <GetLikes adUnit={getSiteSettings().ads?.headerUnit} />;
}
