import type { ComponentType } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { FailedPage } from "@/components/site/failed-page";

/** Hydrates the island called `name`, if the page has it. Shows the error page after a rendering error. */
export function hydrateIsland<Props extends object>(name: string, Component: ComponentType<Props>): void {
  const container = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  if (!container) return;
  const element = <Component {...(JSON.parse(container.dataset.props ?? "{}") as Props)} />;
  hydrateRoot(container, element, {
    onUncaughtError(error) {
      reportError(error);
      const content = document.querySelector("main");
      if (content) createRoot(content).render(<FailedPage />);
    },
  });
}
