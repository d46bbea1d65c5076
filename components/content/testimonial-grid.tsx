import { Badge } from "@/components/ui/badge";
import { StarIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";
import type { Testimonial } from "@/lib/content/testimonials";

interface TestimonialGridProps {
  testimonials: readonly Testimonial[];
  wide?: boolean;
}

/** Renders testimonials in three columns, or in two columns if `wide` is true. Phones show one column. */
export function TestimonialGrid({ testimonials, wide = false }: TestimonialGridProps) {
  return (
    <ul
      role="list"
      className={cn(
        "grid grid-cols-1 gap-4",
        wide ? "md:grid-cols-2" : "lg:grid-cols-3 xl:grid-cols-[1fr_1fr_26rem] xl:gap-x-12",
      )}
    >
      {testimonials.map(({ name, role, rating, niche, date, quote }) => (
        <li key={name}>
          <figure className="flex h-full flex-col gap-3 rounded border bg-card p-4 text-sm sm:p-6 text-muted-foreground">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <span role="img" aria-label={`${rating} out of 5 stars`} className="flex">
                {[1, 2, 3, 4, 5].map((star) => (
                  <StarIcon key={star} className={cn("size-4", star <= rating && "fill-current")} />
                ))}
              </span>
              <Badge variant="neutral">{niche}</Badge>
            </div>
            <blockquote className="flex-1 text-base text-pretty text-foreground">
              <p>{quote}</p>
            </blockquote>
            <figcaption>
              <span className="block font-semibold text-foreground">{name}</span>
              {role}, {date.toLowerCase()}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
