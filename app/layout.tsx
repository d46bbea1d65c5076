import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./globals.css";
import { brandColors } from "@/lib/brand/brand";
import { getSiteSettings } from "@/lib/server/config/env";

/** Returns the metadata that all pages share. */
export function generateMetadata(): Metadata {
  const { siteUrl, siteName } = getSiteSettings();
  return {
    metadataBase: new URL(siteUrl),
    title: { default: siteName, template: `%s | ${siteName}` },
    applicationName: siteName,
    // Without this setting, phones turn countdowns and the codes of posts into telephone links.
    formatDetection: { telephone: false },
  };
}

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: brandColors.light.card },
    { media: "(prefers-color-scheme: dark)", color: brandColors.dark.card },
  ],
};

/** Renders the document of every page: head, scripts and the page (app/site-page.tsx). */
export default function RootLayout({ children }: { children: ReactNode }) {
  const { siteName, siteUrl, supportEmail, captchaProvider, scripts, buildId } = getSiteSettings();
  return (
    <html lang="en" data-build={buildId} data-captcha={captchaProvider}>
      <body>
        <script defer src={scripts["site.js"]} />
        <p className="hidden print:block">{[siteName, siteUrl, supportEmail].join(" · ")}</p>
        {children}
      </body>
    </html>
  );
}
