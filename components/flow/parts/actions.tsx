import type { ReactNode } from "react";

/** Renders action buttons, the main action first: stacked on phones, in a row on wider screens. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-3 sm:flex-row">{children}</div>;
}
