import { GetLikes } from "@/components/flow/screens/get-likes";
import { Island } from "@/components/islands/island";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";

export const metadata = pageMetadata("getLikes");

/** Renders step 3, on which the visitor requests the likes. */
export default function GetLikesPage() {
  return (
    <Island
      name="flow/get-likes"
      component={GetLikes}
      props={{ adUnit: getSiteSettings().ads?.headerUnit }}
    />
  );
}
