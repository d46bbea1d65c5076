import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { Island } from "../../island";
import { getReceiptTexts } from "../receipt-texts";

export const metadata = pageMetadata("success");

/** Renders step 4, which loads the receipt of the order that the server accepted. */
export default function SuccessPage() {
  return (
    <SitePage name="success">
      <Island name="flow/success" props={{ texts: getReceiptTexts() }} />
    </SitePage>
  );
}
