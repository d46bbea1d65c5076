"use client";

import { useEffect, useRef, type RefObject } from "react";

/** Returns a heading ref. Focuses the heading when the view changes, because the pressed control is gone. */
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

/** Focuses the `h1` on mount, so screen readers announce the new page, unless an element has the focus. */
export function useFocusOnMount(): void {
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector("h1")?.focus();
  }, []);
}
