import { passCaptcha } from "@/testing/browser/flow-pages";
import type { ScreenFixture } from "@/testing/browser/screen-fixture";
import { api, at, pace, submitted, texts, unchecked } from "./screen";
import type { Open, Prepare, ScreenSpecs } from "./screen";

const home = (prepare?: Prepare) => at("/", { prepare });

function withUsedLikes(likes: number): Open {
  return async (fixture) => {
    await fixture.chargeLikes(likes);
    return fixture.open("/");
  };
}

/** Touches the form, which loads the captcha. */
function touched(prepare: Prepare) {
  return async (fixture: ScreenFixture) => {
    const page = await fixture.open("/", { prepare });
    await page.getByRole("textbox").focus();
    return page;
  };
}

const rejected = (link: string) => submitted("link", { input: { link }, check: false });

const forgeToken = api.verify.changesRequest({ token: "forged" });

/** Stores an order as the pages do, with three hours of its cooldown left. */
function storeOrder(): void {
  const nextAvailable = new Date(Date.now() + 3 * 3_600_000).toISOString();
  if (location.protocol.startsWith("http"))
    localStorage.setItem("last-order", JSON.stringify({ nextAvailable, dailyLimit: null, storedAt: 0 }));
}

/** Step 1. */
export const homeScreens = {
  home: {
    open: home(),
    says: [
      ...["Enter URL", "Verify", "Get Likes", "Success", "Continue to Next Step"],
      ...["How it works", "Why choose this tool", "Get Started"],
      ...["likes start within a few minutes", "100+ people used our service in the last hour"],
    ],
  },
  "home: more than 70 % used": {
    open: withUsedLikes(71_000),
    says: ["Daily likes are running low! Act now before they're gone."],
  },
  "home: more than 85 % used": {
    open: withUsedLikes(86_000),
    says: ["Today's likes are going fast! Don't miss out."],
  },
  "home: more than 95 % used": {
    open: withUsedLikes(96_000),
    says: ["Almost gone! Get your likes now before they're all used up today."],
  },
  "home: limit reached": {
    open: withUsedLikes(100_000),
    says: [
      "0 free likes left today",
      "Daily limit reached! Come back tomorrow for more likes.",
      ...texts.dailyLimitReached,
    ],
  },
  "home: in a cooldown": {
    open: home((page) => page.addInitScript(storeOrder)),
    says: [
      "You have already requested your free likes.",
      ...["You can request more likes in", "Add to calendar", "Continue to Next Step"],
    ],
  },
  "home: usage unknown": {
    open: home(api.usage.fails),
    says: [
      "Unable to load today's like availability",
      "Please refresh to check how many free likes are still available today.",
    ],
  },
  "home: not a link": { open: rejected("hello"), says: ["Must be a valid URL"] },
  "home: link of a profile": {
    open: rejected("https://www.instagram.com/someone/"),
    says: ["Must be a valid Instagram post or reel URL", "That looks like a profile."],
  },
  "home: human check loading": { open: touched(api.sitekey.hangs), says: ["Loading verification..."] },
  "home: human check failed": {
    open: touched(api.sitekey.fails),
    says: ["Unable to load verification. Please refresh the page.", "Load the check again"],
  },
  "home: human check passed": {
    open: async (fixture) => {
      const page = await touched(undefined)(fixture);
      await passCaptcha(page);
      return page;
    },
    says: ["Verified"],
  },
  "home: sent without the human check": {
    // A valid link starts the check.
    open: async (fixture) =>
      (await submitted("link", { prepare: api.challenge.fails, check: false })(fixture)).getByRole("dialog"),
    ...texts.captchaMissing,
  },
  "home: human check rejected": {
    open: async (fixture) => (await submitted("link", { prepare: forgeToken })(fixture)).getByRole("dialog"),
    says: [
      ...[...texts.captchaDialog, "Your check was not accepted."],
      "Nothing was sent, and what you typed is still there",
    ],
  },
  "home: sending": { open: submitted("link", { prepare: api.verify.hangs }), says: ["Checking..."] },
  "home: sent offline": {
    open: submitted("link", { prepare: api.verify.offline }),
    says: ["Error No answer came from the server. Check your connection and try again."],
  },
} satisfies ScreenSpecs;

const verification = (prepare?: Prepare) => at("/verification/", { as: "verified", prepare });

const title = "Checking Your Instagram Post";

/** Step 2. */
export const verificationScreens = {
  "verification: without step 1": { open: at("/verification/"), ...texts.startOver },
  "verification: verifying": {
    open: verification(api.postDetails.hangs),
    title,
    says: [title, "Verifying your post..."],
  },
  "verification: error": {
    open: verification(api.postDetails.fails),
    failed: true,
    says: [
      "Verification Error: We encountered an error verifying your post.",
      ...[texts.ourFault, "Try Again"],
    ],
  },
  "verification: asking for the status": {
    open: verification(api.status.hangs),
    says: ["Checking your free likes..."],
  },
  "verification: status unknown": { open: verification(api.status.fails), ...texts.statusFailed },
  "verification: verified": {
    open: verification(),
    title,
    says: ["Public", "Sample content", "Post", "50 free likes", "Go Back", "Continue to Get Likes"],
  },
  "verification: not checked": {
    open: unchecked("/verification/"),
    says: [...texts.unchecked, "50 free likes", "Go Back", "Continue to Get Likes"],
  },
  "verification: rate limited": {
    async open(fixture) {
      const page = await fixture.open("/verification/", { as: "returning", clock: true });
      await page.getByRole("timer").waitFor();
      // Half of the cooldown.
      await page.clock.fastForward(2 * 3_600_000);
      return page;
    },
    title: "Rate Limit Reached",
    says: [
      ...["Rate Limit Reached", "You've Already Received Free Likes"],
      "Our free service allows one boost every 4 hours.",
      ...["until", "Add to calendar", "Go Back"],
      "Not you? Phones of the same kind on one network look the same to us, so they share one boost.",
    ],
  },
  "verification: paced": {
    async open(fixture) {
      await pace(fixture);
      return fixture.open("/verification/", { as: "paced" });
    },
    ...texts.paced,
  },
  "verification: blocked post": {
    open: at("/verification/", { as: "ofBlockedPost" }),
    failed: true,
    says: [
      "This post cannot get likes: we accept no requests for it. Please choose another post.",
      ...["Try Another Post", "Back to Home"],
    ],
  },
  "private-account-error": {
    open: at("/private-account-error/", { as: "ofPrivatePost" }),
    failed: true,
    says: [
      "We cannot deliver likes to private Instagram posts.",
      "It belongs to a private account",
      "How to make your account public",
      ...["On the web", "On an iPhone", "On an Android phone"],
      "After making the account public, wait a few minutes",
      ...["Check this post again", "Try Another Post", "Start from Step 1"],
    ],
  },
  "private-account-error: no such post": {
    open: at("/private-account-error/", { as: "ofMissingPost" }),
    failed: true,
    says: [
      "We found no public post under this link.",
      "It may be deleted, the link may have a mistake, or not everyone can see it.",
      "We cannot deliver likes to private Instagram posts.",
      ...["Try Another Post", "Start from Step 1", "How to make your account public"],
    ],
  },
} satisfies ScreenSpecs;
