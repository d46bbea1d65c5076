import type { ReactNode } from "react";
import { SampleLabel } from "@/components/content/sample-label";
import { cn } from "@/lib/client/cn";

export interface TitledSectionProps {
  id: string;
  title: string;
  /** True adds the label of sample content below the title. */
  sample?: boolean;
  className?: string;
  children: ReactNode;
}

/** Renders a section of a content page, with its h2. */
export function TitledSection({ id, title, sample = false, className, children }: TitledSectionProps) {
  return (
    <section aria-labelledby={id} className={cn("flex flex-col gap-5 sm:gap-8", className)}>
      <div className="flex flex-col items-start gap-2">
        <h2 id={id} className="scroll-mt-6">
          {title}
        </h2>
        <SampleLabel sample={sample} />
      </div>
      {children}
    </section>
  );
}
