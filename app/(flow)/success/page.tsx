import { Success } from "@/components/flow/success/success";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { Island } from "../../island";

export const metadata = pageMetadata("success");

/** Renders step 4, which loads the receipt of the order that the server accepted. */
export default function SuccessPage() {
  return <Island name="flow/success" component={Success} props={{ demo: getSiteSettings().demoMode }} />;
}
