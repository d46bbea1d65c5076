import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { Island } from "../../island";
import { getReceiptTexts } from "../receipt-texts";

export const metadata = pageMetadata("preview");

/** Renders the preview of the visitor's post. middleware.ts serves this page at `/preview/{postId}`. */
export default function PreviewPage() {
  return (
    <SitePage name="preview">
      <Island name="flow/preview" props={{ texts: getReceiptTexts() }} />
    </SitePage>
  );
}
