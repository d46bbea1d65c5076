"use client";

import { useEffect, useRef } from "react";

/**
 * Runs a check when a field loses the focus, but not in the middle of a press: a message that comes or goes moves the
 * page, and the control under the finger would slip away before its click.
 *
 * @returns the field's blur handler
 */
export function useSettledBlur(check: () => void): () => void {
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

  return () => {
    if (!pressed.current) return check();
    // The click follows the release; the check comes after both.
    const afterPress = () => setTimeout(check, 0);
    window.addEventListener("pointerup", afterPress, { once: true });
  };
}
