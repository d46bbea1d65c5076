import { useEffect, useEffectEvent } from "react";

/** Runs the callback when the browser restores the page from the back/forward cache. */
export function usePageRestored(callback: () => void): void {
  const restored = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) callback();
  });
  useEffect(() => {
    window.addEventListener("pageshow", restored);
    return () => window.removeEventListener("pageshow", restored);
  }, []);
}
