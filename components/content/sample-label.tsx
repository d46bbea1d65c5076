import { Badge } from "@/components/ui/badge";
import { estimateLabel, sampleLabel } from "@/lib/content/site";

/** Renders a label that marks sample content. Renders nothing if `sample` is false. */
export function SampleLabel({ sample }: { sample: boolean }) {
  return sample && <Badge variant="outline">{sampleLabel}</Badge>;
}

/** Renders a label that marks an estimated time. Renders nothing if `sample` is false. */
export function EstimateLabel({ sample }: { sample: boolean }) {
  return sample && <Badge variant="outline">{estimateLabel}</Badge>;
}
