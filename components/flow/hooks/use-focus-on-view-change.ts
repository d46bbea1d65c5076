"use client";

import { useEffect, useRef, type RefObject } from "react";

/** Returns a ref for the heading. Focuses it when `view` changes, because the pressed button disappears. */
export function useFocusOnViewChange(view: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const previousView = useRef(view);
  useEffect(() => {
    if (previousView.current === view) return;
    previousView.current = view;
    heading.current?.focus();
  }, [view]);
  return heading;
}
