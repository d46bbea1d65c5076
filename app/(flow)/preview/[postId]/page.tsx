import { Preview } from "@/components/flow/preview";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("preview");

/** One static page for all posts: the middleware rewrites every allowed address to it, and the screen reads the id. */
export const dynamicParams = false;

export function generateStaticParams() {
  return [{ postId: "shell" }];
}

/** The preview of a post, beside the steps. */
export default function PreviewPage() {
  return <Preview />;
}
