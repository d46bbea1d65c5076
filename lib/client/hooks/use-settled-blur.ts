import { useEffect, useRef } from "react";

/** Returns a handler for blur events that runs `check`. During a press, it waits until the press ends. */
export function useSettledBlur<Args extends unknown[]>(check: (...args: Args) => void) {
  const isPressed = useRef(false);

  useEffect(() => {
    const subscription = new AbortController();
    const options = { capture: true, signal: subscription.signal };
    const endPress = () => (isPressed.current = false);
    window.addEventListener("pointerdown", () => (isPressed.current = true), options);
    window.addEventListener("pointerup", endPress, options);
    window.addEventListener("pointercancel", endPress, options);
    return () => subscription.abort();
  }, []);

  return (...args: Args) => {
    // The check may show a message that moves the pressed button, and the click would then miss the button.
    // The check therefore runs after the click. With a mouse, the click comes directly after pointerup. With
    // touch input, the click comes directly after blur.
    const afterClick = () => setTimeout(() => check(...args), 0);
    if (isPressed.current) window.addEventListener("pointerup", afterClick, { once: true });
    else afterClick();
  };
}
