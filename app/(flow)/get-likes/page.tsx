import { GetLikes } from "@/components/flow/screens/get-likes";
import { pageMetadata } from "@/app/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { Island } from "../../island";

export const metadata = pageMetadata("getLikes");

/** Renders step 3, where the visitor requests likes for the post. */
export default function GetLikesPage() {
  return (
    <Island
      name="flow/get-likes"
      component={GetLikes}
      props={{ adUnit: getSiteSettings().ads?.headerUnit }}
    />
  );
}
