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
