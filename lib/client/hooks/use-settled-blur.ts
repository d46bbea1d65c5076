"use client";

import { useEffect, useRef } from "react";

/** Returns a blur handler that runs `check`. During a mouse or touch press, it waits until the press ends. */
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
    // The browser sends the click event directly after pointerup. The timeout runs the check after the click.
    // With touch input, pointerup comes before blur, and the click comes directly after blur.
    const afterClick = () => setTimeout(() => check(...args), 0);
    // The check may show a message that moves the pressed button. The click would then miss the button.
    if (isPressed.current) window.addEventListener("pointerup", afterClick, { once: true });
    else afterClick();
  };
}
