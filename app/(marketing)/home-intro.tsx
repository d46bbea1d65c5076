import type { Feature } from "@/components/content/feature-cards";
import { StepIndicator } from "@/components/flow/parts/step-indicator";
import { DotGrid } from "@/components/ui/dot-grid";
import { CircleCheckIcon, ClockIcon, LockIcon } from "@/components/ui/icons";
import { cooldownHours } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";

const { likesPerRequest, maxRequestsPerDay } = limits;

/** Renders the step indicator and the heading of the home page. */
export function HomeHeading() {
  return (
    <>
      <StepIndicator current={1} className="lg:col-span-full" />
      <div className="flex flex-col gap-1 sm:gap-2">
        <h1 className="text-[1.75rem] sm:text-5xl">{likesPerRequest} free Instagram likes</h1>
        <p className="text-sm text-muted-foreground sm:text-lg">
          For a public post or reel, every {cooldownHours} hours. No account, no password.
        </p>
      </div>
    </>
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

/** Renders three facts about the product and an illustration. */
export function HomeFacts() {
  return (
    <>
      <ul role="list" className="grid gap-4 sm:grid-cols-3 lg:grid-cols-1">
        {facts.map(({ Icon, title, body }) => (
          <li key={title} className="flex gap-3.5">
            <Icon className="mt-0.5 size-6 text-primary" />
            <div>
              <p className="font-semibold">{title}</p>
              <p className="text-sm text-muted-foreground">{body}</p>
            </div>
          </li>
        ))}
      </ul>
      <Illustration />
    </>
  );
}

function Illustration() {
  return (
    <div aria-hidden="true" className="mt-2 hidden items-center gap-6 lg:flex">
      <svg viewBox="0 0 80 96" width="80" fill="none">
        <rect
          x="1"
          y="1"
          width="78"
          height="94"
          rx="10"
          strokeWidth="1.5"
          className="fill-card stroke-input"
        />
        <circle cx="15" cy="14" r="5" className="fill-input" />
        <path d="M26 14h26M30 83h18" strokeWidth="3" strokeLinecap="round" className="stroke-input" />
        <path d="M1 27h78v42H1z" className="fill-primary-soft" />
        <path d="m1 69 24-25 15 15 11-10 28 20z" className="fill-primary" />
        <path
          d="M15 89c-5-4-7-6-7-9a3.6 3.6 0 0 1 7-1.5 3.6 3.6 0 0 1 7 1.5c0 3-2 5-7 9z"
          className="fill-primary"
        />
      </svg>
      <DotGrid filled={likesPerRequest} className="w-48" />
    </div>
  );
}
