"use client";

import { useEffect, useRef } from "react";

/** Returns a blur handler that runs `check`, but waits until a pointer press ends. */
export function useSettledBlur<Args extends unknown[]>(
  check: (...args: Args) => void,
): (...args: Args) => void {
  const isPressed = useRef(false);

  useEffect(() => {
    const startPress = () => (isPressed.current = true);
    const endPress = () => (isPressed.current = false);
    window.addEventListener("pointerdown", startPress, true);
    window.addEventListener("pointerup", endPress, true);
    window.addEventListener("pointercancel", endPress, true);
    return () => {
      window.removeEventListener("pointerdown", startPress, true);
      window.removeEventListener("pointerup", endPress, true);
      window.removeEventListener("pointercancel", endPress, true);
    };
  }, []);

  return (...args) => {
    // The click event follows pointerup, so the timeout runs the check after the click.
    // With touch input, pointerup comes before blur, and the click comes in the same task as blur.
    const afterClick = () => setTimeout(() => check(...args), 0);
    // A validation message can move the page during a press, and the click would then miss its target.
    if (isPressed.current) window.addEventListener("pointerup", afterClick, { once: true });
    else afterClick();
  };
}
