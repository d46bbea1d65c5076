"use client";

import { useEffect } from "react";

/** Sets the document title to `title` plus the existing suffix with the site's name. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const apply = () => {
      const siteName = / \| [^|]*$/.exec(document.title)?.[0] ?? "";
      if (document.title !== title + siteName) document.title = title + siteName;
    };
    apply();
    // In development Next may set the page's title again after this effect, when it hydrates the head.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
}
