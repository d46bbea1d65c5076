import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/client/cn";

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
}

/** Renders a native checkbox with a label. The whole row is clickable. */
export function Checkbox({ label, className, ...props }: CheckboxProps) {
  return (
    <label className={cn("flex min-h-11 cursor-pointer items-center gap-3", className)}>
      <input type="checkbox" className="choice" {...props} />
      {label}
    </label>
  );
}
