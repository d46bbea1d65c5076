import { useEffect, useEffectEvent } from "react";

/** Runs the callback when the browser restores the page from the back/forward cache. */
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
