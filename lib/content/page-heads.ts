import { cooldownHours, errorPages } from "@/lib/content/site";
import { startOverHead } from "@/lib/content/start-over";
import { sample } from "@/lib/content/testimonials";
import { limits } from "@/lib/config/limits";
import type { PageName } from "@/lib/http/pages";

const { likesPerRequest } = limits;

/** Title and description of a page. The share image of the page also shows the title and the description. */
export interface PageHead {
  title: string;
  /** 110 to 160 characters, because search engines cut longer descriptions and replace short ones. */
  description: string;
}

export type HeadName = PageName | "notFound";

export const pageHeads: Readonly<Record<HeadName, PageHead>> = {
  home: {
    title: `${likesPerRequest} Free Instagram Likes, Every ${cooldownHours} Hours`,
    description:
      `Request ${likesPerRequest} free likes for a public Instagram post or reel, once every ${cooldownHours} hours. ` +
      "Paste the link of your post. No account, no password.",
  },
  verification: {
    title: "Checking Your Instagram Post",
    description:
      "Step 2 of 4: we check whether your Instagram post or reel is public, and whether you can request free likes for it.",
  },
  privateAccountError: {
    title: "We Can't See This Post",
    description:
      "Likes cannot go to private Instagram posts. How to make an account public on an iPhone, on Android and on the web.",
  },
  getLikes: {
    title: `Get ${likesPerRequest} Free Instagram Likes`,
    description:
      `Step 3 of 4: see the Instagram post or reel of your link once more, and request ${likesPerRequest} free ` +
      "likes for it now.",
  },
  success: {
    title: "Likes Sent Successfully",
    description:
      `Step 4 of 4: your request for ${likesPerRequest} free Instagram likes was accepted. What happens now, and when ` +
      "you can come back.",
  },
  preview: {
    title: "Get Likes for Your Post",
    description:
      `A preview of your Instagram post or reel, so that you can check it before you request ${likesPerRequest} free ` +
      "likes for it here.",
  },
  startOver: startOverHead,
  howItWorks: {
    title: "How It Works",
    description:
      `Four steps from the link of your post to ${likesPerRequest} free Instagram likes: paste the link, verify the ` +
      "post, send the request, and watch the likes arrive.",
  },
  testimonials: {
    title: "Testimonials",
    description:
      "What it is like to request free Instagram likes here: reviews and short stories of creators and small businesses." +
      (sample ? " All of them are sample content." : ""),
  },
  faq: {
    title: "Help Center: Frequently Asked Questions",
    description:
      "Answers about free Instagram likes: which links work, how long delivery takes, limits and waiting times, and what " +
      "we do with your data.",
  },
  support: {
    title: "Support Center",
    description:
      "Help with free Instagram likes: how to request them, waiting times, private accounts and missing likes, and how to " +
      "reach us.",
  },
  contact: {
    title: "Contact Us",
    description:
      "Write to our support with a question, an account issue, an idea or a bug: use the form on this page, or send an " +
      "email.",
  },
  feedback: {
    title: "Share Feedback",
    description:
      "Tell us how requesting free Instagram likes went for you: what works, what gets in your way, and which feature is " +
      "missing.",
  },
  reportIssue: {
    title: "Report an Issue",
    description:
      "Solve common problems with waiting times, private accounts, link formats and missing likes, or report any other " +
      "problem with the form.",
  },
  terms: {
    title: "Terms of Service",
    description:
      "The rules for using this free service for Instagram likes: what it does, its limits, your duties, and what we are " +
      "liable for.",
  },
  privacy: {
    title: "Privacy Policy",
    description:
      "Which data this free service collects, how IP addresses are hashed, which cookies it sets, how long it keeps data, " +
      "and your rights.",
  },
  disclaimer: {
    title: "Disclaimer",
    description:
      "What this service does not promise: no affiliation with Instagram, no guaranteed results, and what its delivery " +
      "times and figures are worth.",
  },
  ...errorPages,
};
