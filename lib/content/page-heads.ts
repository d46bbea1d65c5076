import { errorPages } from "@/lib/content/error-pages";
import { cooldownHours } from "@/lib/content/site";
import { startOverHead } from "@/lib/content/start-over";
import { limits } from "@/lib/config/limits";
import type { PageName } from "@/lib/http/pages";

const { likesPerRequest } = limits;

/** Title and description of a page. The share image of the page also shows the title and the description. */
export interface PageHead {
  title: string;
  description: string;
  /** True if the document title is only `title`, without the site name. */
  absolute?: boolean;
}

export type HeadName = PageName | "notFound";

export const pageHeads: Readonly<Record<HeadName, PageHead>> = {
  home: {
    title: `${likesPerRequest} Free Instagram Likes, Every ${cooldownHours} Hours`,
    description:
      `Request ${likesPerRequest} free likes for a public Instagram post or reel, once every ${cooldownHours} hours. ` +
      "No account, no password.",
    absolute: true,
  },
  verification: {
    title: "Checking Your Instagram Post",
    description: "We check that your post is public and that you can request likes now.",
  },
  privateAccountError: {
    title: "We Can't See This Post",
    description: "Likes cannot go to private posts. How to make an account public.",
  },
  getLikes: {
    title: `Get ${likesPerRequest} Free Instagram Likes`,
    description: `See the post you verified once more, and request ${likesPerRequest} free likes for it.`,
  },
  success: {
    title: "Likes Sent Successfully",
    description: `Your request for ${likesPerRequest} free likes was accepted. What happens now, and when you can come back.`,
  },
  preview: {
    title: "Get Likes for Your Post",
    description: `A preview of your post, before you request ${likesPerRequest} free likes for it.`,
  },
  startOver: startOverHead,
  howItWorks: {
    title: "How It Works",
    description:
      `Four steps from the link of your post to ${likesPerRequest} free Instagram likes: paste, verify, send, ` +
      "and watch them arrive.",
  },
  testimonials: {
    title: "Testimonials",
    description:
      "What using the service is like, in reviews and short stories. Sample content, labelled as such.",
  },
  faq: {
    title: "Help Center: Frequently Asked Questions",
    description:
      "Answers about the service, links and delivery, limits and cooldown, and what we do with your data.",
  },
  support: {
    title: "Support Center",
    description:
      "Help with requesting likes, cooldown messages, private posts and missing likes, and how to reach us.",
  },
  contact: {
    title: "Contact Us",
    description: "Write to us: questions, account issues, ideas and bugs. By form or by email.",
  },
  feedback: {
    title: "Share Feedback",
    description: "Tell us what works, what does not, and what is missing.",
  },
  reportIssue: {
    title: "Report an Issue",
    description:
      "Help with the cooldown, private accounts, links and missing likes, and a form for everything else.",
  },
  terms: {
    title: "Terms of Service",
    description:
      "The rules for using this free service: what it does, its limits, your duties, and our liability.",
  },
  privacy: {
    title: "Privacy Policy",
    description: "Which data we collect, how it is hashed, how long it is kept, and which rights you have.",
  },
  disclaimer: {
    title: "Disclaimer",
    description:
      "What this service does not promise, its relation to Instagram, and what its figures are worth.",
  },
  ...errorPages,
};
