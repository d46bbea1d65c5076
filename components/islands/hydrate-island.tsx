import { useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { saveFields } from "@/lib/client/browser/save-fields";
import { FailedPage } from "@/components/site/error-screen";

/** Hydrates the island called `name`, if the page has it. Shows the error page after a rendering error. */
export function hydrateIsland<Props extends object>(name: string, Component: ComponentType<Props>): void {
  const container = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  if (!container) return;
  const part = <Component {...(JSON.parse(container.dataset.props ?? "{}") as Props)} />;
  container.dataset.hydrated = "";
  hydrateRoot(container, <Hydrated container={container}>{part}</Hydrated>, {
    onUncaughtError(error) {
      reportError(error);
      const content = document.querySelector("main");
      if (content) createRoot(content).render(<FailedPage />);
    },
  });
}

/** Keeps the visitor's input, and tells the site script when the island works. */
function Hydrated({ container, children }: { container: HTMLElement; children: ReactNode }) {
  const [restoreFields] = useState(() => saveFields(container));
  useLayoutEffect(restoreFields, [restoreFields]);
  useEffect(() => void container.dispatchEvent(new Event("hydrated", { bubbles: true })), [container]);
  return children;
}
