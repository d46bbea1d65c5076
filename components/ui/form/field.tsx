import type { ReactNode } from "react";
import { FieldError } from "@/components/ui/form/field-error";
import { Label } from "@/components/ui/form/label";
import { cn } from "@/lib/client/cn";

/** The attributes of a field's control: spread them onto the input. */
export interface FieldControlProps {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
  "aria-required": true | undefined;
}

export interface FieldProps {
  /** The id of the control; those of the hint and the error follow from it. */
  id: string;
  label: ReactNode;
  /** Keeps the label for screen readers only, where the screen already says it in other words. */
  hideLabel?: boolean;
  hint?: ReactNode;
  /** What is wrong and what to do. Marks the control as invalid. */
  error?: ReactNode;
  /** `false` writes "(optional)" beside the label; required fields carry no mark. */
  required?: boolean;
  className?: string;
  children: (control: FieldControlProps) => ReactNode;
}

/** Label, hint, control and error of one form field, tied together for assistive technology. */
export function Field({ id, label, hideLabel, hint, error, required, className, children }: FieldProps) {
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      <Label htmlFor={id} className={cn(hideLabel && "sr-only")}>
        {label}
        {required === false && <span className="font-normal text-muted-foreground"> (optional)</span>}
      </Label>
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
      })}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}
