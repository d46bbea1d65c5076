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

/** Renders three facts about the product and the grid of dots. */
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
      <DotGrid state="open" className="mt-2 hidden w-48 lg:block" />
    </>
  );
}
