import { useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
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

/**
 * Call this function before React hydrates an element, and the returned function after it. That function restores chosen
 * radio buttons, which react-hook-form unchecks. If an extension or a translator has changed the HTML, React replaces all
 * fields, and the function also restores their values, the focus and the selection.
 */
function saveFields(root: ParentNode): () => void {
  const { activeElement } = document;
  const findFields = () => [...root.querySelectorAll<HTMLInputElement>("input, textarea, select")];
  const saved = findFields().map((field) => ({ old: field, isChecked: field.checked }));
  return () => {
    for (const { old, isChecked } of saved) {
      const isSame = ({ name, type, value }: HTMLInputElement) =>
        name !== "" && name === old.name && (type !== "radio" || value === old.value);
      const field = old.isConnected ? old : findFields().find(isSame);
      if (!field) continue;
      if (isChecked) field.checked = true;
      if (field === old) continue;
      if (old.value) field.value = old.value;
      if (old !== activeElement) continue;
      field.focus({ preventScroll: true });
      // Email fields and selects have no selection.
      if (typeof old.selectionStart === "number")
        field.setSelectionRange(old.selectionStart, old.selectionEnd);
    }
  };
}
