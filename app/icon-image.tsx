import { ImageResponse } from "next/og";
import { brandColors, logoSvg } from "@/lib/brand/brand";

export const logoImageUrl = `data:image/svg+xml,${encodeURIComponent(logoSvg)}`;

/** Allows caching for one day. The header has no "immutable", because a changed image keeps its URL. */
export const imageHeaders = { "cache-control": "public, max-age=86400" };

/**
 * Draws the logo as a square PNG. `side` is in pixels. A filled icon has a background and a margin around the logo, other
 * icons have transparent corners.
 */
export function drawAppIcon({ side, filled }: { side: number; filled: boolean }): ImageResponse {
  // The operating system crops filled icons, for example to a circle with 80 % of the width.
  const width = side * (filled ? 0.75 : 1);
  return new ImageResponse(
    <div
      tw="flex h-full w-full items-center justify-center"
      style={filled ? { background: brandColors.light.primary } : {}}
    >
      {/* eslint-disable-next-line @next/next/no-img-element -- ImageResponse needs <img> */}
      <img src={logoImageUrl} width={width} height={width} alt="" />
    </div>,
    { width: side, height: side, headers: imageHeaders },
  );
}
