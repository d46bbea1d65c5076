import { Badge } from "@/components/ui/badge";
import { sampleLabel } from "@/lib/content/site";

/** Says that what it stands beside is an example and not a proven fact; nothing once it is proven. */
export function SampleLabel({ sample, className }: { sample: boolean; className?: string }) {
  if (!sample) return null;
  return (
    <Badge variant="outline" className={className}>
      {sampleLabel}
    </Badge>
  );
}
