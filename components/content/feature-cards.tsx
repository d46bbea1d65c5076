import type { ReactNode } from "react";
import { Card, CardContent } from "@/components/ui/card";
import type { LucideIcon } from "lucide-react";

export interface Feature {
  Icon: LucideIcon;
  title: string;
  body: ReactNode;
}

export interface FeatureCardsProps {
  features: readonly Feature[];
  level?: "h2" | "h3";
}

/** Renders a grid of feature cards: one column on phones, three on wider screens. */
export function FeatureCards({ features, level: Heading = "h3" }: FeatureCardsProps) {
  return (
    <ul role="list" className="grid grid-cols-1 gap-4 md:grid-cols-3">
      {features.map(({ Icon, title, body }) => (
        <li key={title} className="flex">
          <Card className="flex-1">
            <CardContent className="flex flex-col gap-2">
              <Icon className="size-7 text-primary" />
              <Heading className="text-lg">{title}</Heading>
              <p className="text-muted-foreground">{body}</p>
            </CardContent>
          </Card>
        </li>
      ))}
    </ul>
  );
}
