import type { ReactNode } from "react";

/** Lays out action buttons: stacked on phones, else in a row. The first child must be the main action. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-3 sm:flex-row">{children}</div>;
}
