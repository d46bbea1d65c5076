import type { ReactNode } from "react";

/** Places buttons in a column on phones, and in a row on wider screens. The main button must come first. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-3 sm:flex-row">{children}</div>;
}
