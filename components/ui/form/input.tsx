import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

/** Class names of every text input, text area and select. */
export const controlClass = [
  "block w-full rounded border border-input bg-card px-3.5 text-base text-foreground",
  "placeholder:text-muted-foreground",
  "transition-colors duration-150 ease-out hover:border-foreground",
  "aria-invalid:border-2 aria-invalid:border-destructive",
];

/**
 * Renders a one-line text input. URLs and email addresses are left-to-right; other texts decide their direction. Use it
 * inside a Field, which adds the label and the error message.
 */
export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  const dir = type === "text" && props.inputMode !== "url" ? "auto" : "ltr";
  return <input type={type} dir={dir} className={cn(controlClass, "h-12", className)} {...props} />;
}

/** Renders a multi-line text input, which grows with its text in browsers that support `field-sizing`. */
export function Textarea(props: ComponentProps<"textarea">) {
  const className = cn(controlClass, "field-sizing-content min-h-32 resize-y py-3");
  return <textarea dir="auto" className={className} {...props} />;
}
