import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { Island } from "../../island";

export const metadata = pageMetadata("verification");

/** Renders step 2, where the server checks the visitor's post. */
export default function VerificationPage() {
  return (
    <SitePage name="verification">
      <Island name="flow/verification" props={{}} />
    </SitePage>
  );
}
