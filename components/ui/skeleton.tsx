import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

/** Renders a placeholder for loading content. Screen readers skip the placeholder, so add a text. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden="true" className={cn("rounded bg-muted", className)} {...props} />;
}
