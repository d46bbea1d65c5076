import type { Metadata } from "next";
import { GetLikes } from "@/components/flow/get-likes";

export const metadata: Metadata = {
  title: "Get 50 Free Instagram Likes",
  description: "Request 50 free likes for the post you verified.",
  robots: { index: false },
};

/** Step 3. */
export default function GetLikesPage() {
  return <GetLikes />;
}
