import type { AriaAttributes, ReactNode } from "react";
import { CircleAlertIcon } from "lucide-react";
import type { UseFormRegisterReturn } from "react-hook-form";

type FieldControlProps = Partial<UseFormRegisterReturn> & AriaAttributes & { id: string };

export interface FieldProps {
  /** Id of the control. With the id "name", the hint has the id "name-hint", the error "name-error". */
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  announced?: boolean;
  /** If false, the label ends with "(optional)". If true, the control has `aria-required`. */
  required?: boolean;
  /** Attributes of a control that react-hook-form manages. */
  control?: UseFormRegisterReturn;
  children: (control: FieldControlProps) => ReactNode;
}

/** Renders label, hint, control and error of a field. `children` receives the attributes of the control. */
export function Field({ id, label, hint, error, announced, required, control, children }: FieldProps) {
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label className="inline-block font-medium" htmlFor={id}>
        {label}
        {required === false && <span className="font-normal text-muted-foreground"> (optional)</span>}
      </label>
      {hint && (
        <p id={hintId} className="text-sm text-muted-foreground">
          {hint}
        </p>
      )}
      {children({
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": [errorId, hintId].filter(Boolean).join(" ") || undefined,
        "aria-required": required || undefined,
        ...control,
      })}
      <FieldError id={errorId} announced={announced} error={error} />
    </div>
  );
}

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
