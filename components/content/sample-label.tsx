import { Badge } from "@/components/ui/badge";
import { estimateLabel, sampleLabel } from "@/lib/content/site";

/** Says that what it stands beside is an example and not a proven fact; nothing once it is proven. */
export function SampleLabel({ sample }: { sample: boolean }) {
  return sample && <Badge variant="outline">{sampleLabel}</Badge>;
}

/** Says that a time is what the operator expects; nothing once it is proven. */
export function EstimateLabel({ sample }: { sample: boolean }) {
  return sample && <Badge variant="outline">{estimateLabel}</Badge>;
}
