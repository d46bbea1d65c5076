"use client";

import { useEffect, useRef } from "react";

/**
 * Runs a check when a field loses the focus, but not in the middle of a press: a message that comes or goes moves the
 * page, and the control under the finger would slip away before its click.
 *
 * @returns the field's blur handler; what it is called with goes on to the check
 */
export function useSettledBlur<Args extends unknown[]>(
  check: (...args: Args) => void,
): (...args: Args) => void {
  const pressed = useRef(false);

  useEffect(() => {
    const press = () => (pressed.current = true);
    const release = () => (pressed.current = false);
    window.addEventListener("pointerdown", press, true);
    window.addEventListener("pointerup", release, true);
    window.addEventListener("pointercancel", release, true);
    return () => {
      window.removeEventListener("pointerdown", press, true);
      window.removeEventListener("pointerup", release, true);
      window.removeEventListener("pointercancel", release, true);
    };
  }, []);

  return (...args) => {
    // The click follows the release; the check comes after both. A finger has let go before the focus moves, and its
    // click follows in the same task.
    const afterClick = () => setTimeout(() => check(...args), 0);
    if (pressed.current) window.addEventListener("pointerup", afterClick, { once: true });
    else afterClick();
  };
}
