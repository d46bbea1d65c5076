"use client";

import { useEffect } from "react";

/**
 * Keeps the document's title that of the screen, which only the browser knows where one page has several.
 *
 * @param title without the site's name, which stays behind it
 */
export function useTitle(title: string): void {
  useEffect(() => {
    const siteName = / \| [^|]*$/.exec(document.title)?.[0] ?? "";
    document.title = title + siteName;
  }, [title]);
}
