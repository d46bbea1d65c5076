"use client";

import "./globals.css";
import { ErrorScreen, errorTexts } from "@/components/site/error-screen";

/** Replaces the whole document when the root layout throws an error. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <title>{errorTexts(500).title}</title>
        <meta name="robots" content="noindex" />
        <main id="main">
          <ErrorScreen status={500} />
        </main>
      </body>
    </html>
  );
}
