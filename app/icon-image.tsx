import { ImageResponse } from "next/og";
import { brandColors, logoSvg } from "@/lib/brand/brand";

export const logoImageUrl = `data:image/svg+xml,${encodeURIComponent(logoSvg)}`;

export interface AppIconOptions {
  /** Width and height in pixels. */
  side: number;
  /** True adds a background and a margin around the logo. False leaves the corners transparent. */
  filled: boolean;
}

/** Draws the logo as a square PNG. */
export function drawAppIcon({ side, filled }: AppIconOptions): ImageResponse {
  // The operating system crops filled icons, for example to a circle with 80 % of the width.
  const width = side * (filled ? 0.75 : 1);
  return new ImageResponse(
    <div style={{ ...(filled && { background: brandColors.light.primary }), ...centered }}>
      {/* eslint-disable-next-line @next/next/no-img-element -- ImageResponse needs <img> */}
      <img src={logoImageUrl} width={width} height={width} alt="" />
    </div>,
    { width: side, height: side, headers: imageHeaders },
  );
}

const centered = {
  display: "flex",
  width: "100%",
  height: "100%",
  alignItems: "center",
  justifyContent: "center",
} as const;

/** Allows caching for one day. The header has no "immutable", because a changed image keeps its URL. */
export const imageHeaders = { "cache-control": "public, max-age=86400" };
