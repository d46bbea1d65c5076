import type { ReactNode } from "react";
import { CircleAlertIcon } from "lucide-react";

type FieldErrorProps = { id: string | undefined; announced?: boolean; error: ReactNode };

/**
 * Renders the error message of a form control, whose `aria-describedby` must contain `id`. Screen readers announce it, because
 * the live region exists before. `announced` is false if the focus moves to a text that contains the error.
 */
export function FieldError({ id, announced = true, error }: FieldErrorProps) {
  return (
    <div aria-live={announced ? "polite" : "off"} className="empty:-mt-1.5">
      {error && (
        <p id={id} className="flex animate-appear gap-1.5 text-sm font-medium text-destructive">
          <CircleAlertIcon className="mt-px" />
          <span>
            <span className="sr-only">Error: </span>
            <span>{error}</span>
          </span>
        </p>
      )}
    </div>
  );
}
