import type { LucideIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";

export interface Feature {
  Icon: LucideIcon;
  title: string;
  body: string;
}

/** Renders a grid of feature cards: one column on phones, three on wider screens, or one on all screens if `stacked`. */
export function FeatureCards({ features, stacked }: { features: readonly Feature[]; stacked?: boolean }) {
  return (
    <ul role="list" className={cn("grid grid-cols-1 gap-4 md:grid-cols-3", stacked && "lg:grid-cols-1")}>
      {features.map(({ Icon, title, body }) => (
        <li key={title} className="flex flex-col gap-3 rounded border bg-card px-4 py-5 shadow sm:p-6">
          <Icon className="size-10 rounded bg-primary-soft p-2 text-primary" />
          <h3>{title}</h3>
          <p className="text-balance text-muted-foreground">{body}</p>
        </li>
      ))}
    </ul>
  );
}
