import type { ComponentProps, ReactNode } from "react";
import { FieldError } from "@/components/ui/form/field-error";
import { cn } from "@/lib/client/cn";

export interface RadioGroupProps {
  /** Id of the first radio button. All other ids in the group start with this id. */
  id: string;
  label: ReactNode;
  options: Readonly<Record<string, string>>;
  error?: ReactNode;
  announced?: boolean;
  required?: boolean;
  control: Omit<ComponentProps<"input">, "id" | "type" | "value">;
}

/** Renders a group of native radio buttons with a label and an error message. */
export function RadioGroup({ id, label, options, error, announced, required, control }: RadioGroupProps) {
  const errorId = error ? `${id}-error` : undefined;
  return (
    <fieldset
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={errorId}
      aria-invalid={error ? true : undefined}
      aria-required={required || undefined}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend id={`${id}-label`} className="mb-1.5 font-medium">
        {label}
      </legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {Object.entries(options).map(([value, text], index) => (
          <label
            key={value}
            className={cn(
              "flex min-h-12 cursor-pointer flex-wrap items-center gap-x-3 rounded bg-card px-3.5 py-2",
              "transition-colors duration-150 ease-out hover:border-foreground",
              "has-checked:border-primary has-checked:bg-primary-soft",
              error ? "border-2 border-destructive" : "border border-input",
            )}
          >
            <input
              {...control}
              id={index === 0 ? id : `${id}-${value}`}
              type="radio"
              value={value}
              className="size-5 shrink-0 accent-primary"
            />
            {text}
          </label>
        ))}
      </div>
      <FieldError id={errorId} announced={announced} error={error} />
    </fieldset>
  );
}
