import { LoaderCircleIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";

/** Renders a spinner in the current text colour. Screen readers skip the spinner, so add a text. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircleIcon strokeWidth={2.5} className={cn("animate-spin", className)} />;
}
