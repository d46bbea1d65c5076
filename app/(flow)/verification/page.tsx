import { Verification } from "@/components/flow/screens/verification";
import { pageMetadata } from "@/app/page-metadata";
import { Island } from "../../island";

export const metadata = pageMetadata("verification");

/** Renders step 2, where the server checks the visitor's post. */
export default function VerificationPage() {
  return <Island name="flow/verification" component={Verification} props={{}} />;
}
