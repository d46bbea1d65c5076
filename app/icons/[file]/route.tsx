import { notFound } from "next/navigation";
import { appIcons } from "@/lib/brand/brand";
import { drawAppIcon } from "../../icon-image";

export const dynamic = "force-static";
export const dynamicParams = false;

/** Returns the file names of all icons. At build time, Next.js calls GET for each file name. */
export function generateStaticParams() {
  return appIcons.map(({ file }) => ({ file }));
}

/** Draws the icon whose file name is in the URL. The web app manifest links to all icons. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }) {
  const { file } = await params;
  const icon = appIcons.find((candidate) => candidate.file === file) ?? notFound();
  return drawAppIcon({ side: icon.side, filled: icon.purpose === "maskable" });
}
