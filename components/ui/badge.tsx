import type { ReactNode } from "react";
import { cn } from "@/lib/client/cn";

const variants = {
  neutral: "border-transparent bg-muted text-muted-foreground",
  outline: "border-input text-foreground",
  success: "border-transparent bg-success-soft text-success",
};

/** Renders a short label with a coloured background. */
export function Badge({ variant, children }: { variant: keyof typeof variants; children: ReactNode }) {
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1 rounded-full border px-2.5 py-0.5 text-sm font-medium [&_svg]:size-4",
        variants[variant],
      )}
    >
      {children}
    </span>
  );
}
