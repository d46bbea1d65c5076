import { estimateLabel, sampleLabel } from "@/lib/content/site";

/** Renders a label that marks sample content. Renders nothing if `sample` is false. */
export function SampleLabel({ sample }: { sample: boolean }) {
  return sample && <span className="inline-block text-xs text-muted-foreground">{sampleLabel}</span>;
}

/** Renders a label that marks an estimated time, in the line of the text before it. Renders nothing if `sample` is false. */
export function EstimateLabel({ sample }: { sample: boolean }) {
  return (
    sample && <span className="rounded-md border px-1 text-xs text-muted-foreground">{estimateLabel}</span>
  );
}
