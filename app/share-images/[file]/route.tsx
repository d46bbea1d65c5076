import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { notFound } from "next/navigation";
import { ImageResponse } from "next/og";
import { shareImageFile, shareImageSize } from "@/app/page-metadata";
import { brandColors } from "@/lib/brand/brand";
import { dotGrid } from "@/lib/brand/dot-grid";
import { pageHeads, type HeadName, type PageHead } from "@/lib/content/page-heads";
import { getSiteSettings } from "@/lib/server/config/env";
import { imageHeaders, logoImageUrl } from "../../icon-image";

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
  return new ImageResponse(<ShareImage {...head} />, {
    ...shareImageSize,
    // ImageResponse needs one WOFF file per weight and does not read WOFF2.
    fonts: [
      { name: headingFont, data: await readFont("bricolage-grotesque", 800) },
      { name: textFont, data: await readFont("inter", 500) },
    ],
    headers: imageHeaders,
  });
}

const headingFont = "Bricolage Grotesque";
const textFont = "Inter";
const colors = brandColors.light;

function ShareImage({ title, description }: PageHead) {
  const { siteName, demoMode } = getSiteSettings();
  return (
    <div
      tw="flex h-full w-full flex-col justify-between px-[72px] py-[64px]"
      style={{ background: colors.background, color: colors.foreground, fontFamily: textFont }}
    >
      <div tw="flex items-center" style={{ gap: 20 }}>
        {/* eslint-disable-next-line @next/next/no-img-element -- ImageResponse needs <img> */}
        <img src={logoImageUrl} width={64} height={64} alt="" />
        <div tw="flex-1 truncate text-[40px]" style={{ fontFamily: headingFont, letterSpacing: "-0.02em" }}>
          {siteName}
        </div>
        {demoMode && (
          <div
            tw="shrink-0 rounded-full px-[22px] py-[10px] text-[24px]"
            style={{ background: colors["warning-soft"], color: colors.warning }}
          >
            Demo mode: no likes are sent
          </div>
        )}
      </div>
      <div tw="flex flex-col" style={{ gap: 32 }}>
        <div
          style={{
            fontFamily: headingFont,
            fontSize: titleSize(title),
            lineHeight: 1.04,
            letterSpacing: "-0.025em",
            textWrap: "balance",
          }}
        >
          {title}
        </div>
        <div tw="flex items-center justify-between" style={{ gap: 48 }}>
          <div
            tw="flex-1 text-[30px]"
            style={{ lineHeight: 1.4, color: colors["muted-foreground"], textWrap: "balance" }}
          >
            {description}
          </div>
          <svg width={390} height={190} viewBox={dotGrid.viewBox}>
            <path
              d={dotGrid.path}
              stroke={colors.primary}
              strokeWidth={dotGrid.openSize}
              strokeLinecap="round"
            />
          </svg>
        </div>
      </div>
    </div>
  );
}

/** Returns the font size of the title in pixels. With these sizes, a title has at most two lines. */
function titleSize(title: string): number {
  if (title.length <= 20) return 108;
  return title.length <= 30 ? 92 : 76;
}

function readFont(name: string, weight: number): Promise<Buffer> {
  const file = `${name}-latin-${weight}-normal.woff`;
  return readFile(join(process.cwd(), "node_modules", "@fontsource", name, "files", file));
}
