import type { ReactNode } from "react";
import { CircleAlertIcon } from "@/components/ui/icons";

/** Renders the error message of a form control. The `aria-describedby` of the control must contain `id`. */
export function FieldError({ id, children }: { id: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="flex animate-appear gap-1.5 text-sm font-medium text-destructive">
      <CircleAlertIcon className="mt-px" />
      <span>
        <span className="sr-only">Error: </span>
        <span>{children}</span>
      </span>
    </p>
  );
}
