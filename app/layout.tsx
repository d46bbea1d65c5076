import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./globals.css";
import { fontVariables } from "./fonts";
import { DemoBanner } from "@/components/site/demo-banner";
import { Footer } from "@/components/site/footer";
import { Header } from "@/components/site/header";
import { getSiteSettings } from "@/lib/server/env";

export function generateMetadata(): Metadata {
  const { siteUrl, siteName } = getSiteSettings();
  return {
    metadataBase: new URL(siteUrl),
    title: { default: siteName, template: `%s | ${siteName}` },
    applicationName: siteName,
    // An app on a phone would otherwise turn post codes and countdowns into calls.
    formatDetection: { telephone: false },
  };
}

export const viewport: Viewport = { colorScheme: "light dark" };

export default function RootLayout({ children }: { children: ReactNode }) {
  const { siteName, demoMode, captchaProvider } = getSiteSettings();
  return (
    <html lang="en" className={fontVariables} data-captcha={captchaProvider}>
      <body>
        <Header siteName={siteName} />
        {demoMode && <DemoBanner />}
        <main id="main" tabIndex={-1} className="flex-1">
          {children}
        </main>
        <Footer siteName={siteName} />
      </body>
    </html>
  );
}
