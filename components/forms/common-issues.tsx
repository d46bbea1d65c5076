import type { ReactNode } from "react";
import { EstimateLabel } from "@/components/content/sample-label";
import { ChevronDownIcon } from "lucide-react";
import { deliveryTimes } from "@/lib/content/figures";
import { cooldownHours } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";

interface Issue {
  title: string;
  /** The message of the problem in short, and the messages on the pages. */
  messages?: readonly [short: string, ...exact: string[]];
  advice: readonly ReactNode[];
}

const issues: readonly Issue[] = [
  {
    title: "Cooldown error",
    messages: [
      "You need to wait X hours before requesting likes again",
      "You've Already Received Free Likes",
      "Rate Limit Reached",
    ],
    advice: [
      `You can request likes once every ${cooldownHours} hours, and at most ${limits.maxRequestsPerDay} times within any 24 hours. The time runs from the moment your last request was accepted.`,
      "The page shows how long you still have to wait. When the countdown ends, it checks again on its own.",
      "Another post, a private window or deleted cookies do not shorten the wait.",
    ],
  },
  {
    title: "Private account error",
    messages: [
      "This post is private and can't receive likes",
      "We Can't See This Post",
      "We cannot deliver likes to private Instagram posts.",
    ],
    advice: [
      "Open the post in a private browser window, where you are not logged in. If you can't see it there, we can't either.",
      "To make your account public, open “Settings and activity” in the Instagram app, tap “Account privacy” and switch “Private account” off. Then wait a few minutes before you try again.",
      "A deleted post, or a link with a typing mistake, gives a similar error: copy the link once more.",
    ],
  },
  {
    title: "URL format error",
    messages: [
      "Invalid Instagram URL format",
      "Must be a valid URL",
      "Must be a valid Instagram post or reel URL",
    ],
    advice: [
      <>
        The link has to lead to one post or reel, for example{" "}
        <span translate="no" className="wrap-anywhere">
          instagram.com/p/ABC123/
        </span>{" "}
        or{" "}
        <span translate="no" className="wrap-anywhere">
          instagram.com/reel/ABC123/
        </span>
        .
      </>,
      "In the app, open the post, tap the share icon and choose “Copy link”. On the web, copy the address of the opened post.",
      "Links of profiles, stories and highlights do not work.",
    ],
  },
  {
    title: "No likes appearing",
    advice: [
      <>
        Likes arrive gradually: {deliveryTimes.longest}. <EstimateLabel sample={deliveryTimes.sample} />
      </>,
      "Your request was accepted if you saw “Likes Delivered Successfully!”. “Your request is being processed” means that it is not confirmed yet.",
      "Keep the post public, and don't delete it, until the likes have arrived.",
      "Nothing after that time? Report it below, with the link of the post and the reference from the success page.",
    ],
  },
];

/** Renders the most common problems with advice. The details elements work without JavaScript. */
export function CommonIssues({ demoMode }: { demoMode: boolean }) {
  return (
    <section aria-labelledby="common" className="flex flex-col gap-4">
      <h2 id="common">Common issues</h2>
      <div className="divide-y rounded border bg-card shadow">
        {issues.map(({ title, messages, advice }) => (
          <details key={title} className="group">
            <summary className="flex min-h-12 list-none items-center justify-between gap-3 rounded px-4 py-3 font-semibold sm:px-6 [&::-webkit-details-marker]:hidden">
              {title}
              <ChevronDownIcon className="transition-transform group-open:rotate-180" />
            </summary>
            <div className="flex flex-col gap-3 px-4 pb-5 sm:px-6">
              {messages && <Messages messages={messages} />}
              {!messages && demoMode && (
                <p className="font-medium">This site runs in demo mode: no likes are sent to Instagram.</p>
              )}
              <ul className="list-disc space-y-1.5 pl-5 *:pl-1">
                {advice.map((sentence, index) => (
                  <li key={index}>{sentence}</li>
                ))}
              </ul>
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}

function Messages({ messages: [short, ...exact] }: { messages: readonly [string, ...string[]] }) {
  return (
    <p className="text-muted-foreground">
      The message: <q className="text-foreground">{short}</q>. On the page, it reads{" "}
      {exact.map((message, index) => (
        <span key={message}>
          {index > 0 && " or "}
          <q className="text-foreground">{message}</q>
        </span>
      ))}
    </p>
  );
}
