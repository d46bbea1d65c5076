import type { Metadata } from "next";
import { Preview } from "@/components/flow/preview";

export const metadata: Metadata = {
  title: "Get Likes for Your Post",
  description: "A preview of the post that gets the likes.",
  robots: { index: false },
};

/** One static page for all posts: the middleware rewrites every allowed address to it, and the screen reads the id. */
export const dynamicParams = false;

export function generateStaticParams() {
  return [{ postId: "shell" }];
}

/** The preview of a post, beside the steps. */
export default function PreviewPage() {
  return <Preview />;
}
