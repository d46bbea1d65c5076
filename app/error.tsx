"use client";

import { ErrorScreen, errorTitle } from "@/components/site/error-screen";

/** Replaces a page that failed while rendering; header and footer stay. */
export default function PageError() {
  return (
    <>
      <title>{errorTitle(500)}</title>
      <meta name="robots" content="noindex" />
      <ErrorScreen status={500} />
    </>
  );
}
