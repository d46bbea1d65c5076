import { ImageResponse } from "next/og";
import { brandColors, logoSvg } from "@/lib/brand/brand";

/** The mark as the address of an image. */
export const logoImageUrl = `data:image/svg+xml,${encodeURIComponent(logoSvg)}`;

export interface AppIconOptions {
  /** Pixels. */
  side: number;
  /** The mark's colour reaches the edges, and what is written keeps away from them; otherwise its corners are transparent. */
  filled: boolean;
}

/** The mark as a square PNG. */
export function drawAppIcon({ side, filled }: AppIconOptions): ImageResponse {
  // A system cuts it to a shape of its own, which may be a circle of four fifths of the side.
  const width = side * (filled ? 0.75 : 1);
  return new ImageResponse(
    <div style={{ ...(filled && { background: brandColors.light.primary }), ...centred }}>
      {/* eslint-disable-next-line @next/next/no-img-element -- drawn, not served */}
      <img src={logoImageUrl} width={width} height={width} alt="" />
    </div>,
    { width: side, height: side, headers: imageHeaders },
  );
}

const centred = {
  display: "flex",
  width: "100%",
  height: "100%",
  alignItems: "center",
  justifyContent: "center",
} as const;

/** A day, not "immutable": the address stays when the image changes. */
export const imageHeaders = { "cache-control": "public, max-age=86400" };
