import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { getSiteSettings } from "@/lib/server/config/env";
import { Island } from "../../island";
import { getReceiptTexts } from "../receipt-texts";

export const metadata = pageMetadata("getLikes");

/** Renders step 3, where the visitor requests likes for the post. */
export default function GetLikesPage() {
  return (
    <SitePage name="getLikes">
      <Island
        name="flow/get-likes"
        props={{ acceptedDots: getReceiptTexts().dots, adUnit: getSiteSettings().ads?.headerUnit }}
      />
    </SitePage>
  );
}
