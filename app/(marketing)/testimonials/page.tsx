import { CallToAction } from "@/components/content/call-to-action";
import { PageIntro } from "@/components/content/page-intro";
import { TestimonialGrid } from "@/components/content/testimonial-grid";
import { TitledSection } from "@/components/content/titled-section";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { statistics } from "@/lib/content/figures";
import { cooldownHours } from "@/lib/content/site";
import { fullTestimonials, sample, shortReviews, successStories } from "@/lib/content/testimonials";
import { limits } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";

export const metadata = pageMetadata("testimonials");

/** Renders reviews, figures and success stories. A label marks invented content. */
export default function TestimonialsPage() {
  return (
    <SitePage name="testimonials">
      <div className="page-width flex flex-col gap-12 py-8 sm:gap-16 sm:py-12">
        <div className="flex flex-col gap-6">
          <PageIntro title="Testimonials">
            What it is like to use the service, for creators and small businesses.
          </PageIntro>
          {sample && (
            <Alert className="max-w-column">
              <p>
                The names, reviews, stories and figures on this page are sample content. They show what the
                page will look like, and are not the words of real people.
              </p>
            </Alert>
          )}
        </div>

        <TitledSection id="figures" title="In figures" sample={statistics.sample}>
          <dl className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-x-4 gap-y-6 rounded border bg-card px-4 py-6 shadow sm:grid-cols-4 sm:px-6">
            {statistics.items.map(({ value, label }) => (
              <div key={label} className="flex flex-col-reverse">
                <dt className="text-muted-foreground">{label}</dt>
                <dd className="tabular-nums font-display text-4xl font-bold text-primary">{value}</dd>
              </div>
            ))}
          </dl>
        </TitledSection>

        <TitledSection id="reviews" title="In their words" sample={sample}>
          <TestimonialGrid testimonials={fullTestimonials} wide />
        </TitledSection>

        <TitledSection id="short" title="In a sentence" sample={sample}>
          <TestimonialGrid testimonials={shortReviews} />
        </TitledSection>

        <TitledSection id="stories" title="Success stories" sample={sample}>
          <ul role="list" className="grid grid-cols-1 gap-4 md:grid-cols-3">
            {successStories.map(({ title, name, niche, before, did, after }) => (
              <li
                key={title}
                className="flex flex-col items-start gap-4 rounded border bg-card px-4 py-5 shadow sm:p-6"
              >
                <Badge variant="neutral">{niche}</Badge>
                <h3 className="text-xl">{title}</h3>
                <dl className="flex flex-1 flex-col gap-3">
                  <Part term="Before" text={before} />
                  <Part term="What was done" text={did} />
                  <Part term="After" text={after} />
                </dl>
                <p className="text-sm font-semibold">{name}</p>
              </li>
            ))}
          </ul>
        </TitledSection>

        <CallToAction title="See for yourself" action={{ href: pages.home.path, label: "Try It Now" }}>
          {limits.likesPerRequest} free likes for a public post or reel, every {cooldownHours} hours. No
          account, no password.
        </CallToAction>
      </div>
    </SitePage>
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
