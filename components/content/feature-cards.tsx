import type { LucideIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";

export interface Feature {
  Icon: LucideIcon;
  title: string;
  body: string;
}

const columns = "md:grid-cols-3 md:divide-x md:divide-y-0";

/** Renders features in one card: rows on phones, three columns on wider screens, or rows on all screens if `stacked`. */
export function FeatureCards({ features, stacked }: { features: readonly Feature[]; stacked?: boolean }) {
  return (
    <ul role="list" className={cn("grid divide-y rounded border bg-card", !stacked && columns)}>
      {features.map(({ Icon, title, body }) => (
        <li
          key={title}
          className={cn(
            "flex flex-wrap gap-x-4 gap-y-2 p-4 sm:p-6",
            stacked ? "lg:flex-col lg:justify-center" : "md:flex-col md:gap-4",
          )}
        >
          <Icon className="size-10 rounded bg-primary-soft p-2 text-primary" />
          <div className={cn("flex-1 basis-40", stacked ? "lg:flex-none" : "md:basis-auto")}>
            <h3 className={cn("mt-2 mb-2", !stacked && "md:mt-0")}>{title}</h3>
            <p className="text-pretty text-muted-foreground">{body}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
