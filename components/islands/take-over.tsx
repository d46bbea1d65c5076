import type { ComponentType } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { FailedPage } from "@/components/site/failed-page";

/**
 * Makes a part of the page live that the server wrote; see island.tsx. Where it fails while it is drawn, the page's content
 * makes way for the page for failures, as the framework does it.
 *
 * @param name of the island, with the props that its page wrote
 */
export function takeOver<Props extends object>(name: string, Part: ComponentType<Props>): void {
  const place = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  if (!place) return;
  hydrateRoot(place, <Part {...(JSON.parse(place.dataset.props ?? "{}") as Props)} />, {
    onUncaughtError(error) {
      reportError(error);
      const content = document.querySelector("main");
      if (content) createRoot(content).render(<FailedPage />);
    },
  });
}
