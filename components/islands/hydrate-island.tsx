import { useLayoutEffect, type ComponentType, type ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { FailedPage } from "@/components/site/failed-page";

/**
 * Makes a part of the page live that the server wrote; see island.tsx. Where it fails while it is drawn, the page's content
 * makes way for the page for failures, as the framework does it.
 *
 * @param name of the island, with the props that its page wrote
 */
export function hydrateIsland<Props extends object>(name: string, Part: ComponentType<Props>): void {
  const place = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  if (!place) return;
  const part = <Part {...(JSON.parse(place.dataset.props ?? "{}") as Props)} />;
  hydrateRoot(place, <Marked name={name}>{part}</Marked>, {
    onUncaughtError(error) {
      reportError(error);
      const content = document.querySelector("main");
      if (content) createRoot(content).render(<FailedPage />);
    },
  });
}

/** Says in the browser's timeline when the part has become live; `npm run throttled` reads it there. */
function Marked({ name, children }: { name: string; children: ReactNode }): ReactNode {
  useLayoutEffect(() => void performance.mark(`island ${name}`), [name]);
  return children;
}
