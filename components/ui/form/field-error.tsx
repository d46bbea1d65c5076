import type { ReactNode } from "react";
import { CircleAlertIcon } from "@/components/ui/icons";

/** What is wrong with a control, below it; the control points to `id`. */
export function FieldError({ id, children }: { id: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="flex animate-appear gap-1.5 text-sm font-medium text-destructive">
      <CircleAlertIcon className="mt-px" />
      <span>
        <span className="sr-only">Error: </span>
        {children}
      </span>
    </p>
  );
}
