"use client";

import { useEffect } from "react";

/** Sets the document title to `title`, but keeps the site's name at the end, for example " | Boost50". */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title + (/ \| [^|]*$/.exec(document.title)?.[0] ?? "");
  }, [title]);
}
