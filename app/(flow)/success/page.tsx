import { Success } from "@/components/flow/success/success";
import { pageMetadata } from "@/app/page-metadata";
import { Island } from "../../island";
import { getReceiptTexts } from "../receipt-texts";

export const metadata = pageMetadata("success");

/** Renders step 4, which loads the receipt of the order that the server accepted. */
export default function SuccessPage() {
  return <Island name="flow/success" component={Success} props={{ texts: getReceiptTexts() }} />;
}
