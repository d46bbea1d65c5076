import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./globals.css";
import { DemoBanner } from "@/components/site/demo-banner";
import { Footer } from "@/components/site/footer";
import { Header } from "@/components/site/header";
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

/** Renders the document of every page: header, page content, footer and scripts. */
export default function RootLayout({ children }: { children: ReactNode }) {
  const { siteName, siteUrl, supportEmail, operator, demoMode, captchaProvider, gtmId, ads, scripts } =
    getSiteSettings();
  const needsConsent = gtmId !== null || ads !== null;
  return (
    <html lang="en" data-captcha={captchaProvider}>
      <body>
        <script defer src={scripts["site.js"]} />
        <p className="hidden print:block">{[siteName, siteUrl, supportEmail].join(" · ")}</p>
        <Header siteName={siteName} />
        {demoMode && <DemoBanner mode={demoMode} />}
        <main id="main" tabIndex={-1} className="flex-1">
          {children}
        </main>
        <Footer siteName={siteName} operator={operator?.name} showCookieSettings={needsConsent} />
        {needsConsent && (
          <script
            defer
            src={scripts["consent.js"]}
            data-style-sheet={scripts["consent.css"]}
            data-gtm-id={gtmId}
            data-ads-client={ads?.client}
          />
        )}
      </body>
    </html>
  );
}
