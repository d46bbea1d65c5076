import type { Metadata } from "next";
import { Verification } from "@/components/flow/verification";

export const metadata: Metadata = {
  title: "Checking Your Instagram Post",
  description: "We check that your post is public and that you can request likes now.",
  robots: { index: false },
};

/** Step 2. */
export default function VerificationPage() {
  return <Verification />;
}
