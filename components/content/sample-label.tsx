import { Badge } from "@/components/ui/badge";
import { estimateLabel, sampleLabel } from "@/lib/content/site";

/** Renders the label for sample content. Renders nothing if `sample` is false. */
export function SampleLabel({ sample }: { sample: boolean }) {
  return sample && <Badge variant="outline">{sampleLabel}</Badge>;
}

/** Renders the label for estimated times. Renders nothing if `sample` is false. */
export function EstimateLabel({ sample }: { sample: boolean }) {
  return sample && <Badge variant="outline">{estimateLabel}</Badge>;
}
