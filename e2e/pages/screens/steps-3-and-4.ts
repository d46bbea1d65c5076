import type { Page } from "@playwright/test";
import type { ScreenFixture, VisitorName } from "@/testing/browser/screen-fixture";
import { postCode, sandboxCodes } from "@/testing/sample-posts";
import { api, at, pace, press, stopClock, texts, unchecked } from "./screen";
import type { Open, Prepare, ScreenSpecs } from "./screen";

const getLikes = (prepare?: Prepare) => at("/get-likes/", { as: "verified", prepare });
const success = (prepare?: Prepare) => at("/success/", { as: "ordered", prepare });

/** Step 3 after a share of the simulated progress. */
function sending(percent: number, as: VisitorName = "verified") {
  return async (fixture: ScreenFixture): Promise<Page> => {
    const page = await fixture.open("/get-likes/", {
      as,
      clock: true,
      // The shortest progress: ten seconds.
      prepare: (page) => page.addInitScript(() => (Math.random = () => 0)),
    });
    await page.getByRole("button", { name: "Send 50 Free Likes" }).waitFor();
    await stopClock(page);
    await press(page, "Send 50 Free Likes");
    await page.getByText("Connecting to Instagram...").waitFor();
    await page.clock.runFor(percent * 100);
    return page;
  };
}

/** Step 3 after the request. `before` runs shortly before the page sends the request. */
function sent(before?: (page: Page, fixture: ScreenFixture) => unknown, as?: VisitorName): Open {
  return async (fixture) => {
    const page = await sending(95, as)(fixture);
    await before?.(page, fixture);
    await page.clock.runFor(1_500);
    await page.clock.resume();
    return page;
  };
}

const title = "Get 50 Free Instagram Likes";

/** Steps 3 and 4. */
export const getLikesScreens = {
  "get-likes: loading": {
    open: getLikes(api.postDetails.hangs),
    title,
    says: ["Loading Post Details", "This usually takes less than 10 seconds."],
  },
  "get-likes: post not loaded": {
    open: getLikes(api.postDetails.fails),
    failed: true,
    says: [
      ...["Error Loading Post", "We couldn't retrieve your post details. Please try again."],
      ...[texts.ourFault, "Try Again", "Go Back"],
    ],
  },
  "get-likes: ready": {
    open: getLikes(),
    title,
    says: [
      ...[title, "Public", "Sample content", "Cxyz123abc_", "+50 likes coming"],
      ...["Ready to Boost This Post", "Go Back", "Send 50 Free Likes"],
    ],
    icons: ["Like", "Comment", "Share"],
  },
  "get-likes: not checked": {
    open: unchecked("/get-likes/"),
    says: [...texts.unchecked, "This Post Was Not Checked", "Go Back", "Send 50 Free Likes"],
  },
  "get-likes: sending, 0 %": {
    open: sending(0),
    says: [
      ...["Sending Likes...", "Connecting to Instagram...", "0%"],
      "Please don't close this page. Your likes are being delivered.",
      "The dots become rings when your request is sent; until then nothing is counted.",
      "Stop",
    ],
  },
  "get-likes: sending, 95 %": { open: sending(95), says: ["Almost done!", "95%"] },
  "get-likes: refused": {
    open: sent((_page, fixture) => fixture.refuseOrders("The words of the delivery service.")),
    failed: true,
    says: [
      ...["That Did Not Work", "Error: The words of the delivery service.", "Try Another Post"],
      "This did not count; your 4 hours have not started.",
    ],
  },
  "get-likes: failed without words": {
    open: sent(api.like.fails),
    says: [
      ...[
        "50 requested, not confirmed yet",
        "Not Confirmed Yet",
        "Error: Failed to send likes. Please try again.",
      ],
      "Your request may have arrived. It never counts twice.",
    ],
  },
  "get-likes: pending": {
    open: sent((_page, fixture) => fixture.receiver.respond("error"), "pending"),
    says: [
      ...["50 requested, not confirmed yet", "Boosting This Post", "Your request is being processed"],
      ...["You may leave: the same request is kept and never counted twice.", "Check again in", "Go Back"],
    ],
  },
  "get-likes: daily limit reached": {
    open: async (fixture) => {
      await fixture.chargeLikes(100_000);
      return getLikes()(fixture);
    },
    says: ["No Likes Left Today", ...texts.dailyLimitReached, "Add to calendar"],
  },
  "get-likes: paced": { open: sent((_page, fixture) => pace(fixture), "paced"), ...texts.paced },

  success: {
    open: success(),
    title: "Likes Sent Successfully",
    says: [...texts.likesSent, "50 requested, none sent", "Go to Home", "Boost Another Post"],
  },
  "success: loading": { open: success(api.receipt.hangs), says: ["Loading your receipt...", "Go to Home"] },
  "success: receipt not loaded": {
    open: success(api.receipt.fails),
    says: [
      ...texts.likesSent,
      "Your receipt could not be loaded",
      ...["Your request was accepted", texts.ourFault, "Reload", "Go to Home"],
    ],
  },
  "success: boosting another post": {
    open: async (fixture) => {
      const page = await stopClock(await fixture.open("/success/", { as: "ordered", clock: true }));
      await page.getByRole("link", { name: "Boost Another Post" }).click();
      return page;
    },
    says: ["Processing..."],
  },
} satisfies ScreenSpecs;

const preview = (prepare?: Prepare, as: VisitorName = "verified", code: string = postCode) =>
  at(`/preview/${code}?from=url-entry`, { as, prepare });

/** The preview after a request for likes. */
function ordered(prepare?: Prepare, as?: VisitorName): Open {
  return async (fixture) => press(await preview(prepare, as)(fixture), "Get 50 Free Likes");
}

function refused(message: string): Open {
  return (fixture) => {
    fixture.refuseOrders(message);
    return ordered()(fixture);
  };
}

const notAvailable = "Preview Not Available";
const previewError = "Failed to load post details";
const failure = "Oops! Something went wrong";

/** The preview of a post, which is outside the steps. */
export const previewScreens = {
  "preview: loading": {
    open: preview(api.postDetails.hangs),
    says: ["Loading Post Details", "This usually takes less than 10 seconds."],
  },
  "preview: post not loaded": {
    open: preview(api.postDetails.fails),
    title: notAvailable,
    failed: true,
    says: [previewError, texts.ourFault, "Try Again", "Back to Home"],
  },
  "preview: without an id": {
    open: at("/preview/", { as: "verified" }),
    title: notAvailable,
    failed: true,
    says: [
      previewError,
      "the content is public and that the URL is from a post or reel, not from a profile.",
      ...["Try Another Post", "Back to Home"],
    ],
  },
  "preview: post": {
    open: preview(),
    title: "Get Likes for Your Post",
    says: [
      "Get Likes for Your Post",
      "sample_account",
      "Sample content",
      "Cxyz123abc_",
      "Go Back",
      "Get 50 Free Likes",
    ],
  },
  "preview: reel": {
    open: preview(undefined, "ofReel"),
    title: "Get Likes for Your Reel",
    says: ["Get Likes for Your Reel"],
  },
  "preview: limited": {
    open: preview(undefined, "ofLimitedPost", sandboxCodes.withoutImage),
    says: [
      ...["Instagram User", "Image not available", "Limited preview due to API permissions"],
      "Open it to make sure it is yours",
      "Note: We can't display the post preview, but we can still send likes to this content.",
    ],
  },
  "preview: not checked": {
    open: unchecked(`/preview/${postCode}?from=url-entry`),
    says: [...texts.unchecked, "Image not available", "Go Back", "Get 50 Free Likes"],
  },
  "preview: requesting": { open: ordered(api.status.hangs), says: ["Requesting your likes..."] },
  "preview: success": {
    open: ordered(undefined, "ordering"),
    title: "Likes Sent Successfully",
    says: [...texts.likesSent, "Back to Home"],
  },
  "preview: limit": {
    open: ordered(undefined, "returning"),
    title: "Limit Reached",
    says: [
      ...["Limit Reached", "You've already received your free likes. Check back in:"],
      ...["until", "Add to calendar"],
      "Your post has been verified and is eligible for likes, but you need to wait before requesting again.",
      "Back to Home",
    ],
  },
  "preview: paced": {
    async open(fixture) {
      await pace(fixture);
      return ordered(undefined, "paced")(fixture);
    },
    ...texts.paced,
  },
  "preview: status unknown": { open: ordered(api.status.fails), ...texts.statusFailed },
  "preview: refused": {
    open: refused("The words of the delivery service."),
    title: failure,
    failed: true,
    // "Error" is the title of the toast.
    says: [failure, "Error The words of the delivery service.", "Try Another Post", "Back to Home"],
  },
  "preview: failed without words": {
    open: ordered(api.like.fails),
    failed: true,
    says: [
      "Your request may have arrived. It never counts twice.",
      ...[failure, "Error Failed to send likes. Please try again."],
      ...["The content is public", "The URL is correct", "The post hasn't been deleted", "Try Again"],
    ],
  },
  "preview: refused as private": {
    open: refused("The account is private."),
    failed: true,
    says: [
      "This post appears to be from a private Instagram account.",
      "Please make your account public in Instagram settings before requesting likes.",
    ],
  },
  // Scripts of other sites can throw values that are not an Error.
  "preview: broken by something else": {
    open: async (fixture) => {
      const page = await fixture.open(`/preview/${postCode}?from=url-entry`, { as: "verified" });
      await page.getByRole("button", { name: "Get 50 Free Likes" }).waitFor();
      await page.evaluate("JSON.stringify = () => { throw 'not an Error'; }");
      return press(page, "Get 50 Free Likes");
    },
    failed: true,
    says: ["Error We couldn't process your request. Please check the details below."],
  },
} satisfies ScreenSpecs;
