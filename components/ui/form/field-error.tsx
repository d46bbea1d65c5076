import type { ReactNode } from "react";
import { CircleAlertIcon } from "@/components/ui/icons";

export interface FieldErrorProps {
  /** The `aria-describedby` of the control must contain this id. */
  id: string | undefined;
  /** False if the focus moves to a text that contains the error. Otherwise screen readers announce the error. */
  announced?: boolean;
  children: ReactNode;
}

/** Renders the error message of a form control. The live region exists before the error, so that it is announced. */
export function FieldError({ id, announced = true, children }: FieldErrorProps) {
  return (
    <div aria-live={announced ? "polite" : "off"} className="empty:-mt-1.5">
      {children && (
        <p id={id} className="flex animate-appear gap-1.5 text-sm font-medium text-destructive">
          <CircleAlertIcon className="mt-px" />
          <span>
            <span className="sr-only">Error: </span>
            <span>{children}</span>
          </span>
        </p>
      )}
    </div>
  );
}
