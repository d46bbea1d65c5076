import type { Feature } from "@/components/content/feature-cards";
import { StepHeading } from "@/components/flow/parts/step-layout";
import { openDots } from "@/components/ui/dot-grid";
import { CircleCheckIcon, ClockIcon, LockIcon } from "lucide-react";
import { cooldownHours } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";

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
