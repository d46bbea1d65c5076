import { deliveryTimes, privacyFigures } from "@/lib/content/figures";
import { cookieNotes } from "@/lib/content/cookies";
import type { Question, QuestionGroup } from "@/lib/content/question";
import type { Operator } from "@/lib/content/site";
import { cooldownHours, demoExplanation, describeOperator, formatNumber } from "@/lib/content/site";
import { limits, retention } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";

const { likesPerRequest, maxRequestsPerDay, dailyLikeLimit, maxRequestsPerAddressPerDay } = limits;
const flowMinutes = limits.flowLifetimeSeconds / 60;

const about: QuestionGroup = {
  id: "about",
  title: "About the Service",
  questions: [
    {
      id: "what-is-this",
      question: "What does this service do?",
      answer:
        `You paste the link of a public Instagram post or reel, pass a human check, and request ${likesPerRequest} ` +
        "free likes for it. The site checks the post first and tells you at every step what happens.",
      link: { href: pages.howItWorks.path, label: "See the four steps" },
    },
    {
      id: "is-it-free",
      question: "Is it really free?",
      answer:
        "Yes. There is nothing to buy, no trial that ends, and no paid plan. Advertising pays for the service, " +
        "which is why some pages have a place for a banner.",
    },
    {
      id: "account",
      question: "Do I need an account, or my Instagram password?",
      answer:
        "Neither. There is no sign-up here, and we never ask for your Instagram password. If a page that looks like " +
        "ours asks for it, close it.",
    },
    {
      id: "where-from",
      question: "Where do the likes come from?",
      answer: [
        "This site does not like posts itself. It passes your request to the delivery service that its operator " +
          "runs. Before live delivery can be switched on, the operator has to declare that the likes come from real, " +
          "consenting people and that the law and Instagram's terms allow it.",
        "The delivery service may refuse a post. You then see its reason, and the request does not count.",
      ],
    },
  ],
};

const technical: QuestionGroup = {
  id: "technical",
  title: "Technical Questions",
  questions: [
    {
      id: "which-links",
      question: "Which links can I paste?",
      answer: [
        "The link of a public post or reel, such as https://www.instagram.com/p/… or https://www.instagram.com/reel/…, " +
          "with or without “www” and with whatever the app adds behind a question mark. Text around the link does no harm.",
        "Links to a profile or a story do not work. The form then tells you what it found instead.",
      ],
      steps: [
        "Open the post in the Instagram app or in your browser.",
        "Tap “Share” and choose “Copy link”.",
        "Paste it into the field on the home page.",
      ],
    },
    {
      id: "what-is-checked",
      question: "What happens to my link?",
      answer:
        "We read the post's code out of it and build the link anew from that code. The address you typed is never " +
        "opened by us. Then we ask whether the post is public: a private post cannot go on to the next step. If we " +
        "cannot check it, the page says so.",
    },
    {
      id: "human-check",
      question: "Why is there a human check?",
      answer:
        "Without it, programs would use up the likes of the day within minutes. One check is good for one request: " +
        `after it you have ${flowMinutes} minutes to finish. Later, start again from the home page.`,
    },
    {
      id: "how-long",
      question: "How long does delivery take?",
      answer:
        `Usually ${deliveryTimes.longest}. The site's own part is short: the success page appears as soon as the delivery ` +
        "service has accepted your request, and the likes then arrive one after another.",
      estimate: deliveryTimes.sample,
    },
    {
      id: "refused-or-unconfirmed",
      question: "What if my request is refused, or stays unconfirmed?",
      answer: [
        "If it is refused, you see the reason. Nothing is counted against you, and you may try another post at once, " +
          "from step 1.",
        "Sometimes the delivery service does not answer in time. Then we say that your request is being processed, " +
          "and keep asking under the same number, so that it is never counted twice. If there is still no answer after " +
          `${retention.openOrderHours} hours, the request is closed and you are free to make a new one.`,
      ],
      link: { href: pages.reportIssue.path, label: "Report an issue" },
    },
  ],
};

const restrictions: QuestionGroup = {
  id: "limits",
  title: "Limits & Restrictions",
  questions: [
    {
      id: "how-often",
      question: "How often can I request likes?",
      answer:
        `Once every ${cooldownHours} hours, and at most ${maxRequestsPerDay} times within any 24 hours. Each request is ` +
        `for ${likesPerRequest} likes on one post. There is no cap on how often you use the service in total.`,
    },
    {
      id: "when-cooldown-starts",
      question: `When do the ${cooldownHours} hours begin?`,
      answer:
        "At the moment in which the delivery service accepts your request, not when you open the site or paste a " +
        "link. A refused request starts no waiting time. The countdown shows what is left, to the second.",
    },
    {
      id: "daily-limit",
      question: "What is the daily limit?",
      answer: [
        `All visitors together share a limited number of likes per day: ${formatNumber(dailyLikeLimit)} unless the ` +
          "operator has set another number. The meter on the home page shows how many are left.",
        "When they are used up, nobody can request more until the limit resets at 00:00 GMT.",
      ],
    },
    {
      id: "how-recognised",
      question: "How do you know that I have been here before?",
      answer:
        `By your IP address together with your browser's fingerprint, and by a cookie that expires after ` +
        `${cooldownHours} hours. A waiting time found under either one counts. Deleting the cookie or using a private ` +
        "window is therefore not enough.",
      link: { href: "#how-stored", label: "How these are stored" },
    },
    {
      id: "shared-network",
      question: "Why must I wait when I have not requested anything?",
      answer:
        "You may share your internet connection with others, at work, at school or in a mobile network. At most " +
        `${maxRequestsPerAddressPerDay} requests are accepted from one network address within any 24 hours, unless the ` +
        "operator has set another number; the networks around it have limits as well. The same can happen when somebody used your device before you.",
      link: { href: pages.contact.path, label: "Ask us about it" },
    },
  ],
};

const safety: QuestionGroup = {
  id: "safety",
  title: "Safety & Privacy",
  questions: [
    {
      id: "is-it-safe",
      question: "Is this safe for my Instagram account?",
      answer:
        "We cannot log in to your account, because we never have your password. But we are not affiliated with " +
        "Instagram and cannot speak for it: Instagram has rules about artificial engagement, and it may remove likes " +
        "or restrict accounts. Read its terms and decide for yourself.",
      link: { href: pages.disclaimer.path, label: "Read the disclaimer" },
    },
    {
      id: "what-is-collected",
      question: "What data do you collect?",
      answer:
        "The URLs that you submit, your IP address, your browser's fingerprint, and the time of your requests. If " +
        "you write to us, also what you put into the form. Nothing from your Instagram account.",
      link: { href: pages.privacy.path, label: "Read the privacy policy" },
    },
    {
      id: "how-stored",
      question: "How are my IP address and fingerprint stored?",
      answer:
        "Never as they are. Both go through a keyed hash (HMAC with SHA-256) before anything is stored, so the " +
        "database holds only strings that mean nothing without our secret key. Of an IPv6 address, only the first " +
        "64 bits are used. Our own logs contain neither.",
    },
    {
      id: "which-cookies",
      question: "Which cookies do you set?",
      answer: [
        ...cookieNotes.map(
          ({ label, name, lifetime, holds }) => `${label} (“${name}”), ${lifetime}: ${holds}.`,
        ),
        "Advertising or analytics cookies need your consent first.",
      ],
      link: { href: `${pages.privacy.path}#cookies`, label: "What else your browser keeps" },
    },
    {
      id: "how-long-kept",
      question: "How long do you keep data, and can I have it deleted?",
      answer: [
        `The record of a request, with the hashed values, is deleted after ${retention.orderDays} days. Most other ` +
          "records live for hours or minutes. The database deletes them on its own.",
        `You can also ask us. Requests about your rights are answered within ${privacyFigures.rightsResponseDays} days.`,
      ],
      link: { href: `${pages.privacy.path}#retention`, label: "See every period" },
    },
  ],
};

const demoQuestion: Question = {
  id: "demo-mode",
  question: "What does “Demo mode” in the banner mean?",
  answer: demoExplanation,
};

function operatorQuestion(operator: Operator | null): Question {
  return {
    id: "who-runs-it",
    question: "Who runs this site?",
    answer: `This site is run by ${describeOperator(operator)}.`,
    link: { href: pages.contact.path, label: "Contact us" },
  };
}

/** Returns the questions of the Help Center. A demo site explains demo mode, and a live site names its operator. */
export function getFaqGroups(demo: boolean, operator: Operator | null): QuestionGroup[] {
  const last = demo ? demoQuestion : operatorQuestion(operator);
  return [{ ...about, questions: [...about.questions, last] }, technical, restrictions, safety];
}

/** Returns the questions of the home page, with shorter answers than in the Help Center. */
export function getHomeQuestions(operator: Operator | null): Question[] {
  return [
    {
      id: "home-source",
      question: "Where do the likes come from?",
      answer:
        "From the delivery service of this site's operator. Before it can be connected, the operator has to declare " +
        "that the likes come from real, consenting people and that the law and Instagram's terms allow it.",
      link: { href: `${pages.faq.path}#where-from`, label: "More about the likes" },
    },
    {
      id: "home-operator",
      question: "Who runs this?",
      answer: operator
        ? `This site is run by ${describeOperator(operator)}.`
        : "This site names no operator. A site that sends likes has to name the person or company that runs it.",
      link: { href: pages.contact.path, label: "Contact us" },
    },
    {
      id: "home-free",
      question: "Is it really free?",
      answer: "Yes. Advertising pays for it. There is nothing to buy.",
    },
    {
      id: "home-when",
      question: "When will I see the likes?",
      answer: `After your request was accepted, ${deliveryTimes.start}. They do not come all at once: ${deliveryTimes.full}.`,
      estimate: deliveryTimes.sample,
    },
    {
      id: "home-private",
      question: "Does it work for private accounts?",
      answer:
        "No. Only posts that everyone can see can get likes. You can make your account public, wait a few minutes, and " +
        "try again.",
      link: { href: `${pages.support.path}#private-post`, label: "What to do about a private post" },
    },
    {
      id: "home-data",
      question: "What do you know about me?",
      answer:
        "Your IP address and your browser's fingerprint, as keyed hashes only, and the posts that you requested likes " +
        `for. Records of requests are deleted after ${retention.orderDays} days. If you write to us, also your message.`,
      link: { href: pages.privacy.path, label: "Read the privacy policy" },
    },
  ];
}
