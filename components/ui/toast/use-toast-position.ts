"use client";

import { useEffect, useState, type RefObject } from "react";
import { toastOffset, type Box } from "@/components/ui/toast/toast-position";

/** CSS selector of elements that a toast must not cover. `isVisible` excludes links inside a text. */
const interactiveSelector =
  ':is(header, main) :is(button, a[href], input:is([type="checkbox"], [type="radio"]), iframe)';

/** CSS selector of messages in the page. A toast covers a message only if no other place is free. */
const messageSelector = "[data-message]";

/** Height of the transparent strips above and below the toast, in CSS pixels. They may cover buttons. */
const paddingPx = 8;

/** Returns the CSS `bottom` of the toast area in pixels. The value changes when the visitor scrolls. */
export function useToastPosition(viewport: RefObject<HTMLElement | null>, isOpen: boolean): number {
  const [offset, setOffset] = useState(0);

  useEffect(() => {
    const element = viewport.current;
    if (!isOpen || !element) return;
    const updateOffset = () => setOffset(measureOffset(element));
    const observer = new ResizeObserver(updateOffset);
    observer.observe(element);
    observer.observe(document.body);
    window.addEventListener("scroll", updateOffset, { passive: true });
    window.addEventListener("resize", updateOffset);
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", updateOffset);
      window.removeEventListener("resize", updateOffset);
    };
  }, [viewport, isOpen]);

  return offset;
}

function measureOffset(viewport: HTMLElement): number {
  const currentOffset = parseFloat(getComputedStyle(viewport).bottom);
  const { left, right, top, bottom } = viewport.getBoundingClientRect();
  const toast: Box = {
    left,
    right,
    top: top + currentOffset + paddingPx,
    bottom: bottom + currentOffset - paddingPx,
  };
  const boxesOf = (selector: string) =>
    [...document.querySelectorAll(selector)]
      .filter((element) => !viewport.contains(element) && isVisible(element))
      .map((element) => element.getBoundingClientRect());
  return toastOffset(toast, boxesOf(interactiveSelector), boxesOf(messageSelector));
}

/** Returns false for hidden elements and for links inside a text. */
function isVisible(element: Element): boolean {
  if (element.tagName === "A" && getComputedStyle(element).display === "inline") return false;
  return element.getClientRects().length > 0;
}
