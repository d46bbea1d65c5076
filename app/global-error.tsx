"use client";

import "./globals.css";
import { ErrorScreen, errorWords } from "@/components/site/error-screen";

/** Replaces the whole document when the root layout itself failed. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <title>{errorWords(500).title}</title>
        <meta name="robots" content="noindex" />
        <main id="main">
          <ErrorScreen status={500} />
        </main>
      </body>
    </html>
  );
}
