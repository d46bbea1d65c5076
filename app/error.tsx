"use client";

import { ErrorScreen, errorWords } from "@/components/site/error-screen";

/** Replaces a page that failed while rendering; header and footer stay. */
export default function PageError() {
  return (
    <>
      <title>{errorWords(500).title}</title>
      <meta name="robots" content="noindex" />
      <ErrorScreen status={500} />
    </>
  );
}
