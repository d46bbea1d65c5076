import { Badge } from "@/components/ui/badge";
import { Card, CardContent } from "@/components/ui/card";
import type { SuccessStory } from "@/lib/content/testimonials";

/** Renders a success story with the parts "Before", "What was done" and "After". */
export function StoryCard({ story }: { story: SuccessStory }) {
  const { title, name, niche, before, did, after } = story;
  return (
    <Card className="h-full">
      <CardContent className="flex flex-1 flex-col items-start gap-4">
        <Badge variant="neutral">{niche}</Badge>
        <h3 className="text-xl">{title}</h3>
        <dl className="flex flex-1 flex-col gap-3">
          <Part term="Before" text={before} />
          <Part term="What was done" text={did} />
          <Part term="After" text={after} />
        </dl>
        <p className="text-sm font-semibold">{name}</p>
      </CardContent>
    </Card>
  );
}

function Part({ term, text }: { term: string; text: string }) {
  return (
    <div>
      <dt className="text-sm text-muted-foreground">{term}</dt>
      <dd>{text}</dd>
    </div>
  );
}
