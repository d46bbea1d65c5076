import { notFound } from "next/navigation";
import { shareImageFile } from "@/app/page-metadata";
import { pageHeads, type HeadName } from "@/lib/content/page-heads";
import { getSiteSettings } from "@/lib/server/config/env";
import { drawShareImage } from "./share-image";

export const dynamic = "force-static";
export const dynamicParams = false;

const files = new Map(
  Object.keys(pageHeads).map((name) => [shareImageFile(name as HeadName), pageHeads[name as HeadName]]),
);

/** Returns the file names of all share images. At build time, Next.js calls GET for each file name. */
export function generateStaticParams() {
  return Array.from(files.keys(), (file) => ({ file }));
}

/** Draws the share image of a page. Social networks show this image with a link to the page. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }) {
  const { file } = await params;
  const head = files.get(file) ?? notFound();
  const { siteName, demoMode } = getSiteSettings();
  return drawShareImage({ ...head, siteName, demoMode: demoMode !== null });
}
