import { Preview } from "@/components/flow/screens/preview";
import { pageMetadata } from "@/app/page-metadata";
import { Island } from "../../island";
import { getReceiptTexts } from "../receipt-texts";

export const metadata = pageMetadata("preview");

/** Renders the preview of the visitor's post. middleware.ts serves this page at `/preview/{postId}`. */
export default function PreviewPage() {
  return <Island name="flow/preview" component={Preview} props={{ texts: getReceiptTexts() }} />;
}
