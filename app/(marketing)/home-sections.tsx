import { FeatureCards, type Feature } from "@/components/content/feature-cards";
import { QuestionList } from "@/components/content/question-list";
import { EstimateLabel, SampleLabel } from "@/components/content/sample-label";
import { StepList, type Step } from "@/components/content/step-list";
import { TestimonialGrid } from "@/components/content/testimonial-grid";
import { StepHeading } from "@/components/flow/parts/step-layout";
import { ButtonLink } from "@/components/ui/button";
import { openDots } from "@/components/ui/dot-grid";
import {
  CircleCheckIcon,
  CircleQuestionMarkIcon,
  ClockIcon,
  EyeIcon,
  GiftIcon,
  LockIcon,
} from "lucide-react";
import { deliveryTimes, recentUse } from "@/lib/content/figures";
import { getHomeQuestions } from "@/lib/content/faq";
import { cooldownHours, type Operator } from "@/lib/content/site";
import { homeTestimonials, sample } from "@/lib/content/testimonials";
import { limits, retention } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";

const { likesPerRequest, maxRequestsPerDay } = limits;

/** Renders the heading of the home page. */
export function HomeHeading() {
  return (
    <StepHeading
      heading={`${likesPerRequest} free Instagram likes`}
      lead={`For a public post or reel, every ${cooldownHours} hours. No account, no password.`}
      dots={openDots}
    />
  );
}

const facts: Feature[] = [
  {
    Icon: LockIcon,
    title: "No sign-in, no password",
    body: "You need no account with us, and we never ask for your Instagram password.",
  },
  {
    Icon: ClockIcon,
    title: `Once every ${cooldownHours} hours`,
    body: `Up to ${maxRequestsPerDay} times in 24 hours, with no cap on total uses.`,
  },
  {
    Icon: CircleCheckIcon,
    title: "You see what happened",
    body: "Success is shown only when your request was accepted. A refused one does not count.",
  },
];

/** Renders three facts about the product. */
export function HomeFacts() {
  return (
    <ul
      id="home-facts"
      role="list"
      className="grid max-w-column grid-cols-1 content-start gap-4 pt-2 sm:grid-cols-3 lg:grid-cols-1 short:grid-cols-1"
    >
      {facts.map(({ Icon, title, body }) => (
        <li key={title} className="flex gap-3">
          <Icon className="mt-0.5 size-6 text-primary" />
          <div>
            <p className="font-semibold">{title}</p>
            <p className="text-sm text-muted-foreground">{body}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const steps: Step[] = [
  { title: "Paste the link", body: <p>Copy the link of a public post or reel and pass the human check.</p> },
  { title: "We check the post", body: <p>It has to be public. That takes a few seconds.</p> },
  {
    title: `Request ${likesPerRequest} likes`,
    body: <p>One press of a button. You see how far it is, and whether it was accepted.</p>,
  },
  {
    title: "Watch them arrive",
    body: (
      <p>
        As a rule, {deliveryTimes.start}. Come back in {cooldownHours} hours for more.{" "}
        <EstimateLabel sample={deliveryTimes.sample} />
      </p>
    ),
  },
];

const reasons: Feature[] = [
  {
    Icon: GiftIcon,
    title: "Free, and it stays free",
    body: "Advertising pays for it. There is nothing to buy.",
  },
  {
    Icon: EyeIcon,
    title: "Little is kept about you",
    body: `Your address and browser are stored as keyed hashes only, for ${retention.orderDays} days at most.`,
  },
  {
    Icon: CircleQuestionMarkIcon,
    title: "Help when you need it",
    body: "Guides for private accounts and links that do not work, and a form for everything else.",
  },
];

/** Renders the sections of the home page below the form. */
export function HomeSections({ operator }: { operator: Operator | null }) {
  return (
    <div className="page-width flex flex-col gap-16 py-10 sm:gap-24 sm:py-16">
      <section
        aria-labelledby="how-it-works"
        className="grid grid-cols-1 gap-8 lg:grid-cols-[1fr_1.25fr] lg:gap-16"
      >
        <div className="flex flex-col items-start gap-4">
          <h2 id="how-it-works" className="text-3xl sm:text-4xl">
            How it works
          </h2>
          <p className="text-lg text-muted-foreground">Four steps, about a minute of your time.</p>
          <a href={pages.howItWorks.path} className="link inline-flex min-h-11 items-center font-medium">
            Read it in detail
          </a>
        </div>
        <StepList steps={steps} />
      </section>

      <section aria-labelledby="why" className="flex flex-col gap-6">
        <h2 id="why" className="text-3xl sm:text-4xl">
          Why choose this tool
        </h2>
        <FeatureCards features={reasons} />
      </section>

      <section aria-labelledby="testimonials" className="flex flex-col gap-6">
        <div className="flex flex-col items-start gap-2">
          <h2 id="testimonials" className="text-3xl sm:text-4xl">
            What people say
          </h2>
          <SampleLabel sample={sample} />
        </div>
        <TestimonialGrid testimonials={homeTestimonials} />
        <a
          href={pages.testimonials.path}
          className="link inline-flex min-h-11 items-center self-start font-medium"
        >
          More testimonials
        </a>
      </section>

      <section aria-labelledby="faq" className="grid grid-cols-1 gap-6 lg:grid-cols-[1fr_1.75fr] lg:gap-16">
        <div className="flex flex-col items-start gap-4">
          <h2 id="faq" className="text-3xl sm:text-4xl">
            Questions and answers
          </h2>
          <a href={pages.faq.path} className="link inline-flex min-h-11 items-center font-medium">
            All questions in the Help Center
          </a>
        </div>
        <QuestionList name="home-faq" questions={getHomeQuestions(operator)} />
      </section>

      <section
        aria-labelledby="start"
        className="flex flex-col items-center gap-5 rounded border bg-primary-soft px-4 py-10 text-center sm:px-8"
      >
        <h2 id="start" className="text-3xl">
          Your next post is waiting
        </h2>
        {/* The browser focuses the field with this id. */}
        <ButtonLink href="#post-link" size="lg" className="no-script:hidden">
          Get Started
        </ButtonLink>
        <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
          {recentUse.text} <SampleLabel sample={recentUse.sample} />
        </p>
      </section>
    </div>
  );
}
