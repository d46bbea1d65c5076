import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ImageResponse } from "next/og";
import { brandColors } from "@/lib/brand";

/** The mark as the address of an image, from app/icon.svg. Read while building only: what uses it is prerendered. */
export async function brandMark(): Promise<string> {
  const svg = await readFile(join(process.cwd(), "app", "icon.svg"), "base64");
  return `data:image/svg+xml;base64,${svg}`;
}

export interface AppIconOptions {
  /** Pixels. */
  side: number;
  /** The mark's colour reaches the edges; otherwise its corners are transparent. */
  filled: boolean;
}

/** The mark as a square PNG. */
export async function appIcon({ side, filled }: AppIconOptions): Promise<ImageResponse> {
  return new ImageResponse(
    <div style={{ display: "flex", ...(filled && { background: brandColors.light.primary }) }}>
      {/* eslint-disable-next-line @next/next/no-img-element -- drawn, not served */}
      <img src={await brandMark()} width={side} height={side} alt="" />
    </div>,
    { width: side, height: side, headers: imageHeaders },
  );
}

/** A day, not "immutable": the address stays when the image changes. */
export const imageHeaders = { "cache-control": "public, max-age=86400" };
