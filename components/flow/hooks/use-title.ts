"use client";

import { useEffect } from "react";

/**
 * Keeps the document's title that of the screen, which only the browser knows where one page has several.
 *
 * @param title without the site's name, which stays behind it
 */
export function useTitle(title: string): void {
  useEffect(() => {
    const apply = () => {
      const siteName = / \| [^|]*$/.exec(document.title)?.[0] ?? "";
      if (document.title !== title + siteName) document.title = title + siteName;
    };
    apply();
    // In development the framework writes the page's own title once more when it takes over the head, perhaps after this.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
}
