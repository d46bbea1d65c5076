import type { ReactNode } from "react";
import { FeatureCards, type Feature } from "@/components/content/feature-cards";
import { QuestionList } from "@/components/content/question-list";
import { EstimateLabel, SampleLabel } from "@/components/content/sample-label";
import { StepList, type Step } from "@/components/content/step-list";
import { TestimonialGrid } from "@/components/content/testimonial-grid";
import { ButtonLink } from "@/components/ui/button";
import { DotGrid, openDots } from "@/components/ui/dot-grid";
import {
  CircleCheckIcon,
  CircleQuestionMarkIcon,
  ClockIcon,
  EyeOffIcon,
  GiftIcon,
  LockIcon,
} from "lucide-react";
import { deliveryTimes, recentUse } from "@/lib/content/figures";
import { getHomeQuestions } from "@/lib/content/faq";
import { cooldownHours, type Operator } from "@/lib/content/site";
import { sample, shortReviews } from "@/lib/content/testimonials";
import { cn } from "@/lib/client/cn";
import { limits, retention } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";

const { likesPerRequest, maxRequestsPerDay } = limits;

/**
 * Renders the heading of the home page, with the picture of fifty likes: beside the h1 on phones, beside h1 and text on tablets,
 * large on wide screens. With a large font, the dots move below the heading.
 */
export function HomeHeading() {
  return (
    <div className="flex max-w-column flex-wrap items-start justify-between gap-x-4 gap-y-1.5 lg:flex-col lg:justify-start lg:*:first:flex-none">
      <div className="contents tall:block tall:flex-[1_11rem]">
        <h1 tabIndex={-1} className="flex-1 basis-40 text-hero outline-none">
          {`${likesPerRequest} free Instagram likes`}
        </h1>
        <p className="order-1 w-full text-sm text-muted-foreground sm:text-lg lg:text-xl tall:mt-2">
          <span className="inline-block">{`For a public post or reel, every ${cooldownHours} hours.`}</span>{" "}
          <span className="inline-block">No account, no password.</span>
        </p>
      </div>
      <div className="contents lg:mt-5 lg:flex lg:w-full lg:grow lg:items-center lg:gap-7 lg:rounded lg:bg-primary-soft lg:p-4 lg:ps-8">
        <DotGrid
          dots={openDots}
          className="w-24 max-sm:self-center max-sm:rounded max-sm:bg-primary-soft max-sm:p-1.5 max-sm:*:first:stroke-4 sm:w-36 lg:w-92"
        />
        <p id="dots" className="hidden text-sm text-muted-foreground lg:block">
          {legend.map(([text, symbol]) => (
            <span key={text} className="flex min-h-9.5 items-center gap-3 leading-tight">
              <span aria-hidden="true" className="grid size-4 place-items-center">
                <span className={cn("rounded-full border-primary", symbol)} />
              </span>
              {`${text} `}
            </span>
          ))}
        </p>
      </div>
    </div>
  );
}

/** Text and border of each line beside the dots. Forced colours keep borders. */
const legend = [
  ["Fifty dots, fifty likes:", "border-4 opacity-68"],
  ["rings when requested,", "border-3 p-1.25"],
  ["full when accepted.", "border-8"],
] as const;

const facts: Feature[] = [
  {
    Icon: LockIcon,
    title: "No sign-in, no password",
    body: "We never ask for your Instagram password.",
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
      className="grid max-w-column grid-cols-1 content-start gap-x-6 gap-y-4 pt-2 sm:grid-cols-3 lg:col-span-2 lg:max-w-none lg:grid-cols-[1fr_1fr_26rem] lg:gap-x-12 lg:pt-8 short:grid-cols-1"
    >
      {facts.map(({ Icon, title, body }) => (
        <li key={title} className="flex gap-3">
          <Icon className="mt-0.5 size-6 text-primary" />
          <div>
            <p className="font-semibold">{title}</p>
            <p className="text-sm text-pretty text-muted-foreground">{body}</p>
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
    Icon: EyeOffIcon,
    title: "Little is kept about you",
    body: `Your address and browser are stored as keyed hashes only, for ${retention.orderDays} days at most.`,
  },
  {
    Icon: CircleQuestionMarkIcon,
    title: "Help when you need it",
    body: "Guides for private accounts and links that do not work, and a form for everything else.",
  },
];

/** Renders the sections of the home page below the form. Wide screens have the columns of the form in all sections. */
export function HomeSections({ operator }: { operator: Operator | null }) {
  return (
    <div className="page-width flex flex-col gap-16 pt-13 pb-4 sm:gap-24 sm:pt-16 sm:pb-8">
      <div className="grid grid-cols-1 gap-x-12 gap-y-16 sm:gap-y-24 lg:grid-cols-column-aside">
        <section aria-labelledby="how-it-works" className="flex flex-col gap-5 sm:gap-8">
          <SectionHead id="how-it-works" title="How it works">
            <p className="w-full text-lg text-muted-foreground">Four steps, about a minute of your time.</p>
          </SectionHead>
          <StepList steps={steps} />
          <MoreLink href={pages.howItWorks.path}>Read it in detail</MoreLink>
        </section>
        <section aria-labelledby="why" className="flex flex-col gap-5 sm:gap-8 lg:pb-15 lg:*:last:grow">
          <SectionHead id="why" title="Why choose this tool" />
          <FeatureCards features={reasons} stacked />
        </section>
      </div>

      <section aria-labelledby="testimonials" className="flex flex-col gap-5 sm:gap-8">
        <SectionHead id="testimonials" title="What people say">
          <SampleLabel sample={sample} />
        </SectionHead>
        <TestimonialGrid testimonials={shortReviews} />
        <MoreLink href={pages.testimonials.path}>More testimonials</MoreLink>
      </section>

      <div className="grid grid-cols-1 items-start gap-x-12 gap-y-16 sm:gap-y-24 lg:grid-cols-column-aside">
        <section aria-labelledby="faq" className="flex flex-col gap-5 sm:gap-8">
          <SectionHead id="faq" title="Questions and answers" />
          <QuestionList name="home-faq" questions={getHomeQuestions(operator)} />
          <MoreLink href={pages.faq.path}>All questions in the Help Center</MoreLink>
        </section>
        <section
          aria-labelledby="start"
          className="flex flex-col items-start justify-center gap-6 rounded bg-primary-soft px-4 py-6 sm:p-8 lg:mt-17.25 lg:min-h-80"
        >
          <h2 id="start">Your next post is waiting</h2>
          {/* The browser focuses the field with this id. */}
          <ButtonLink href="#post-link" size="lg" className="w-full no-script:hidden">
            Get Started
          </ButtonLink>
          <p className="-mt-2 text-sm text-muted-foreground">
            {recentUse.text} <SampleLabel sample={recentUse.sample} />
          </p>
        </section>
      </div>
    </div>
  );
}

function SectionHead({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-2">
      <h2 id={id}>{title}</h2>
      {children}
    </div>
  );
}

function MoreLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      className="link -my-2 sm:-mt-4 sm:mb-0 inline-flex min-h-11 items-center self-start font-medium"
    >
      {children}
    </a>
  );
}
