import type { LucideIcon } from "lucide-react";

export interface Feature {
  Icon: LucideIcon;
  title: string;
  body: string;
}

/** Renders a grid of feature cards: one column on phones, three on wider screens. */
export function FeatureCards({ features }: { features: readonly Feature[] }) {
  return (
    <ul role="list" className="grid grid-cols-1 gap-4 md:grid-cols-3">
      {features.map(({ Icon, title, body }) => (
        <li key={title} className="flex flex-col gap-2 rounded border bg-card px-4 py-5 shadow sm:p-6">
          <Icon className="size-7 text-primary" />
          <h3 className="text-lg">{title}</h3>
          <p className="text-muted-foreground">{body}</p>
        </li>
      ))}
    </ul>
  );
}
