import type { ComponentProps } from "react";
import { cn } from "@/lib/client/cn";

/** Renders the frame of a card with vertical padding. CardContent adds horizontal padding. */
export function Card({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn("flex flex-col gap-4 rounded border bg-card py-4 shadow sm:gap-5 sm:py-6", className)}
      {...props}
    />
  );
}

export function CardContent({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("px-4 sm:px-6", className)} {...props} />;
}
