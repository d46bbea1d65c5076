"use client";

import { useEffect, useState, type RefObject } from "react";
import { toastOffset, type Box } from "@/components/ui/toast/toast-position";

/** What a visitor may want to press while a toast is there. Of links, only those that stand for themselves. */
const pressable =
  ':is(header, main) :is(button, a[href], input:is([type="checkbox"], [type="radio"]), iframe)';

/** What the page says for good about what was done; see Alert. */
const message = "[data-message]";

/** Of the space around a toast, which may be covered. */
const spacePx = 8;

/**
 * Keeps toasts off the buttons, and off the page's own messages where there is room: where one is under them, they stand
 * higher, in the lowest free place. It follows scrolling and what else moves the page.
 *
 * @param place where toasts appear; it has their size, and `bottom` alone moves it
 * @param isUsed there is a toast
 * @returns how far it has to stand above the lower edge, in CSS pixels
 */
export function useToastPosition(place: RefObject<HTMLElement | null>, isUsed: boolean): number {
  const [rise, setRise] = useState(0);

  useEffect(() => {
    const element = place.current;
    if (!isUsed || !element) return;
    const giveWay = () => setRise(findRise(element));
    const observer = new ResizeObserver(giveWay);
    observer.observe(element);
    observer.observe(document.body);
    window.addEventListener("scroll", giveWay, { passive: true });
    window.addEventListener("resize", giveWay);
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", giveWay);
      window.removeEventListener("resize", giveWay);
    };
  }, [place, isUsed]);

  return rise;
}

function findRise(place: HTMLElement): number {
  const risen = parseFloat(getComputedStyle(place).bottom);
  const { left, right, top, bottom } = place.getBoundingClientRect();
  const own: Box = { left, right, top: top + risen + spacePx, bottom: bottom + risen - spacePx };
  const boxesOf = (selector: string) =>
    [...document.querySelectorAll(selector)]
      .filter((element) => !place.contains(element) && isThere(element))
      .map((element) => element.getBoundingClientRect());
  return toastOffset(own, boxesOf(pressable), boxesOf(message));
}

function isThere(element: Element): boolean {
  if (element.tagName === "A" && getComputedStyle(element).display === "inline") return false;
  return element.getClientRects().length > 0;
}
