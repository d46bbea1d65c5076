import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

/** Keeps the place of what is still loading. Screen readers skip it: say "loading" once, in words. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden="true" className={cn("preset:rounded bg-muted", className)} {...props} />;
}
