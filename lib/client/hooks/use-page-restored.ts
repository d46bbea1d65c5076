import { useEffect, useEffectEvent } from "react";

/** Calls back when the browser shows the page again as it had been left (Back, from its memory). */
export function usePageRestored(callback: () => void): void {
  const restored = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) callback();
  });
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => restored(event);
    window.addEventListener("pageshow", listener);
    return () => window.removeEventListener("pageshow", listener);
  }, []);
}
