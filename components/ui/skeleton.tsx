import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

/** Renders a placeholder for loading content. Screen readers skip it, so add one "Loading" text per page. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden="true" className={cn("preset:rounded bg-muted", className)} {...props} />;
}
