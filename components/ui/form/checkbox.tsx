import type { ComponentProps } from "react";

/** Renders a native checkbox with a label. The whole row is clickable. */
export function Checkbox({ label, ...props }: ComponentProps<"input"> & { label: string }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input type="checkbox" className="size-5 shrink-0 accent-primary" {...props} />
      {label}
    </label>
  );
}
