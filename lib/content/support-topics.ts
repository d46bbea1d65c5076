import { deliveryTimes } from "@/lib/content/figures";
import type { Question } from "@/lib/content/question";
import { cooldownHours } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";

const demoNote = " While the banner says “Demo mode”, no likes are sent at all.";

/** Returns the four help topics of the Support Center. */
export const getSupportTopics = (demo: boolean): Question[] => [
  {
    id: "request-likes",
    question: "How do I request likes?",
    answer: [],
    steps: [
      "Copy the public post URL: in Instagram, tap “Share”, then “Copy link”.",
      "Paste it on the homepage.",
      "Pass verification: the human check, and then the check that the post is public.",
      `Click “Send ${limits.likesPerRequest} Free Likes” and keep the page open until it is done.`,
      `Likes ${deliveryTimes.gradual}.`,
    ],
    link: { href: pages.howItWorks.path, label: "The same with more detail" },
    estimate: deliveryTimes.sample,
  },
  {
    id: "cooldown",
    question: "Why do I see a cooldown message?",
    answer: [
      `Because a request from you was accepted less than ${cooldownHours} hours ago, or because you have used all ` +
        `${limits.maxRequestsPerDay} requests of the last 24 hours. The countdown shows when you can come back.`,
      "Requests of others who share your internet connection can also be the reason. The message then says so.",
      "You are recognised by your network address and browser together, and by a cookie. Someone who shared your " +
        "device may have used the request.",
    ],
    link: { href: `${pages.faq.path}#how-often`, label: "All limits" },
  },
  {
    id: "private-post",
    question: "Why is my post marked as private?",
    answer: [
      "Because we could not see it without logging in. The account may be private, the post may have been deleted, " +
        "or the link may have a mistake. We cannot always tell these apart.",
      "If your account is private, you can make it public. Then wait a few minutes, and try again here.",
    ],
    link: { href: "#make-public", label: "How to make your account public" },
  },
  {
    id: "no-likes",
    question: "I got a confirmation, but I see no likes. What now?",
    answer: [
      `Give it time: likes ${deliveryTimes.gradual}, later at busy hours. Then reload the post in Instagram, which ` +
        "sometimes shows an old count. Check that the post is still public.",
      "If nothing has arrived after two hours, report it, with the reference from the success page: that is what we " +
        `look your request up by.${demo ? demoNote : ""}`,
    ],
    link: { href: pages.reportIssue.path, label: "Report an issue" },
    estimate: deliveryTimes.sample,
  },
];
