import { notFound } from "next/navigation";
import { appIcons } from "@/lib/brand/brand";
import { drawAppIcon } from "../../icon-image";

export const dynamic = "force-static";
export const dynamicParams = false;

export function generateStaticParams() {
  return appIcons.map(({ file }) => ({ file }));
}

/** Draws an icon of the web app manifest at build time. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }) {
  const { file } = await params;
  const icon = appIcons.find((candidate) => candidate.file === file) ?? notFound();
  return drawAppIcon({ side: icon.side, filled: icon.purpose === "maskable" });
}
