import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

/** The frame of every control that holds a value. */
export const controlClass = [
  "block w-full rounded border border-input bg-card px-3.5 text-base text-foreground",
  "placeholder:text-muted-foreground",
  "transition-colors duration-150 ease-out hover:border-foreground",
  "aria-invalid:border-2 aria-invalid:border-destructive",
  "disabled:cursor-not-allowed disabled:bg-muted disabled:text-muted-foreground",
];

/** A one-line text control. Put it in a Field, which names it and ties its error to it. */
export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return <input type={type} className={cn(controlClass, "h-12", className)} {...props} />;
}

/** The same for longer text; it grows with what is typed where the browser can. */
export function Textarea({ className, rows = 5, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={rows}
      className={cn(controlClass, "field-sizing-content min-h-32 resize-y py-3", className)}
      {...props}
    />
  );
}
