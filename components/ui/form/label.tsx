import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

export function Label({ className, ...props }: ComponentProps<"label">) {
  return <label className={cn("inline-block font-medium", className)} {...props} />;
}
