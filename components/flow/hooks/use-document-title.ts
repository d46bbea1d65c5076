"use client";

import { useEffect } from "react";

/** Sets the document title to `title`, but keeps the site's name at the end, for example " | Boost50". */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const apply = () => {
      const siteName = / \| [^|]*$/.exec(document.title)?.[0] ?? "";
      if (document.title !== title + siteName) document.title = title + siteName;
    };
    apply();
    // In development, Next.js may set the page's title after this effect. The observer then calls `apply`.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
}
