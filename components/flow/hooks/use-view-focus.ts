"use client";

import { useEffect, useRef, type RefObject } from "react";

/**
 * Moves the focus to the heading when a screen shows another view, because the control that was pressed is gone then.
 * The first view leaves the focus where the browser put it.
 *
 * @param view the name of the view on screen
 */
export function useViewFocus(view: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(view);
  useEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    heading.current?.focus();
  }, [view]);
  return heading;
}

/**
 * Moves the focus to the page's heading as it opens, for a page that is itself the answer to what was pressed before.
 * Not when the visitor has already gone elsewhere.
 */
export function useArrivalFocus(): void {
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector("h1")?.focus();
  }, []);
}
