import type { ReactNode } from "react";

/** The actions of a view, the main one first: stacked on a phone, side by side where there is room. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-3 sm:flex-row">{children}</div>;
}
