import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ImageResponse } from "next/og";
import { shareImageSize } from "@/app/page-metadata";
import { brandColors } from "@/lib/brand/brand";
import { dotGrid } from "@/lib/brand/dot-grid";
import { logoImageUrl, imageHeaders } from "../../icon-image";

export interface ShareImageTexts {
  title: string;
  description: string;
  siteName: string;
  demoMode: boolean;
}

const colors = brandColors.light;

/** Draws the share image of a page: logo, site name, page title and page description. */
export async function drawShareImage(texts: ShareImageTexts): Promise<ImageResponse> {
  return new ImageResponse(<ShareImage {...texts} />, {
    ...shareImageSize,
    fonts: await loadFonts(),
    headers: imageHeaders,
  });
}

function ShareImage({ title, description, siteName, demoMode }: ShareImageTexts) {
  return (
    <div
      style={{
        display: "flex",
        flexDirection: "column",
        justifyContent: "space-between",
        width: "100%",
        height: "100%",
        padding: "64px 72px",
        background: colors.background,
        color: colors.foreground,
        fontFamily: "Inter",
      }}
    >
      <div style={{ display: "flex", alignItems: "center", gap: 20 }}>
        {/* eslint-disable-next-line @next/next/no-img-element -- ImageResponse needs <img> */}
        <img src={logoImageUrl} width={64} height={64} alt="" />
        <div
          style={{
            flex: 1,
            overflow: "hidden",
            whiteSpace: "nowrap",
            textOverflow: "ellipsis",
            fontFamily: "Bricolage Grotesque",
            fontSize: 40,
            letterSpacing: "-0.02em",
          }}
        >
          {siteName}
        </div>
        {demoMode && <DemoLabel />}
      </div>
      <div style={{ display: "flex", flexDirection: "column", gap: 32 }}>
        <div
          style={{
            fontFamily: "Bricolage Grotesque",
            fontSize: titleSize(title),
            lineHeight: 1.04,
            letterSpacing: "-0.025em",
            textWrap: "balance",
          }}
        >
          {title}
        </div>
        <div style={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 48 }}>
          <div
            style={{
              flex: 1,
              fontSize: 30,
              lineHeight: 1.4,
              color: colors["muted-foreground"],
              textWrap: "balance",
            }}
          >
            {description}
          </div>
          <OpenDots />
        </div>
      </div>
    </div>
  );
}

/** The fifty likes before a request. */
function OpenDots() {
  return (
    <svg width={390} height={190} viewBox={dotGrid.viewBox}>
      <path d={dotGrid.path} stroke={colors.primary} strokeWidth={dotGrid.openSize} strokeLinecap="round" />
    </svg>
  );
}

function DemoLabel() {
  return (
    <div
      style={{
        flexShrink: 0,
        padding: "10px 22px",
        borderRadius: 999,
        background: colors["warning-soft"],
        color: colors.warning,
        fontSize: 24,
      }}
    >
      Demo mode: no likes are sent
    </div>
  );
}

/** Returns the font size of the title in pixels. With these sizes, a title has at most two lines. */
function titleSize(title: string): number {
  if (title.length <= 20) return 108;
  return title.length <= 30 ? 92 : 76;
}

/** Loads the fonts of the image. ImageResponse needs one WOFF file per weight and does not read WOFF2. */
async function loadFonts() {
  const [heading, text] = await Promise.all([
    readFontFile("bricolage-grotesque", "bricolage-grotesque-latin-800-normal.woff"),
    readFontFile("inter", "inter-latin-500-normal.woff"),
  ]);
  return [
    { name: "Bricolage Grotesque", data: heading },
    { name: "Inter", data: text },
  ];
}

function readFontFile(fontName: string, file: string): Promise<Buffer> {
  return readFile(join(process.cwd(), "node_modules", "@fontsource", fontName, "files", file));
}
