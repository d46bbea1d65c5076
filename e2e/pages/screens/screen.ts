import type { Locator, Page, Route } from "@playwright/test";
import { goodInput, type FormName } from "@/testing/good-input";
import { passCaptcha } from "@/testing/browser/flow-pages";
import { fillInForm, formPages, pressSend } from "@/testing/browser/form-pages";
import type { ScreenFixture, ScreenOptions } from "@/testing/browser/screen-fixture";

/** Opens a screen in a new browser context. Returns the page, or the element that contains the screen. */
export type Open = (fixture: ScreenFixture) => Promise<Page | Locator>;
export type Prepare = ScreenOptions["prepare"];

/** A screen in one of its states: the steps that open it, and the texts that it must show. */
export interface ScreenSpec {
  open: Open;
  /** Part of the title of the page. */
  title?: string;
  /** The current step is marked as failed (components/flow/parts/flow-screen.tsx). */
  failed?: boolean;
  /** Visible texts. */
  says?: readonly string[];
  /** Names of disabled buttons that show an icon. */
  icons?: readonly string[];
  /** Texts of visible links, with their targets. */
  links?: Readonly<Record<string, string>>;
  /** Choices by the name of their field, as "value: text". */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** The screen exists only in wide or only in narrow windows. */
  only?: "wide" | "narrow";
}

export type ScreenSpecs = Record<string, ScreenSpec>;

/** Replaces the responses to requests for a path. */
export function endpoint(path: string) {
  const route = (handler: (route: Route) => unknown) => (page: Page) => page.route(`**${path}`, handler);
  return {
    hangs: route(() => undefined),
    fails: route((each) => each.fulfill({ status: 500, body: "" })),
    changesRequest: (changes: object) =>
      route((each) =>
        each.continue({ postData: { ...(each.request().postDataJSON() as object), ...changes } }),
      ),
    offline: route((each) => each.abort("internetdisconnected")),
  };
}

export const api = {
  challenge: endpoint("/api/recaptcha/challenge"),
  like: endpoint("/api/instagram/like"),
  postDetails: endpoint("/api/instagram/post-details"),
  receipt: endpoint("/api/instagram/receipt"),
  sitekey: endpoint("/api/recaptcha/sitekey"),
  status: endpoint("/api/instagram/status"),
  usage: endpoint("/api/instagram/daily-usage"),
  verify: endpoint("/api/recaptcha/verify"),
};

const captchaDialog = ["Verification Required", "I'll Complete the Verification"];

/** Texts of several screens. */
export const texts = {
  ourFault: "The fault is on our side. Please try again in a moment.",
  dailyLimitReached: [
    ...["Daily Limit Reached", "Our daily API limit has been reached. Please try again tomorrow."],
    ...["Available again in:", "Resets at: 00:00 GMT", "Daily limit: 100,000 likes"],
  ],
  startOver: {
    title: "You Need to Start from the Beginning",
    says: [
      ...["You Need to Start from the Beginning", "Start from Step 1"],
      "We no longer have your link. Paste it again.",
    ],
  },
  captchaDialog,
  captchaMissing: { says: [...captchaDialog, "The check is not done yet."] },
  paced: {
    title: "More Free Likes Come Later",
    says: [
      ...[
        "More Free Likes Come Later",
        "Today's free likes are spread over the day.",
        "The next ones come in:",
      ],
      ...["until", "Add to calendar", "Nothing was counted, and your 4 hours have not started."],
    ],
  },
  statusFailed: {
    failed: true,
    says: [
      "Unable to check API limits",
      "We're experiencing technical difficulties. Please try again later.",
      "Try Again",
    ],
  },
  unchecked: ["Not checked", "We could not check your post now. If it is private, it cannot get likes."],
  likesSent: [
    "Likes Delivered Successfully!",
    "We've sent 50 free likes to your post. They'll begin appearing within minutes.",
    ...["What would happen on a live site", "Likes begin to appear within a few minutes."],
    "The full 50 may take up to 30 minutes.",
    "Times of delivery are the operator's estimate.",
    ...["You can boost another post after 4 hours.", "Demo mode: nothing was sent."],
  ],
};

/** Opens a path. */
export function at(path: string, options?: ScreenOptions) {
  return (fixture: ScreenFixture) => fixture.open(path, options);
}

export async function press(page: Page, button: string): Promise<Page> {
  await page.getByRole("button", { name: button }).click();
  return page;
}

interface Submission {
  prepare?: Prepare;
  /** Default: valid input. */
  input?: Readonly<Record<string, string>>;
  /** The visitor passes the captcha first. */
  check?: boolean;
}

/** Opens a form, fills it in and sends it. */
export function submitted(form: FormName, { prepare, input, check = true }: Submission = {}) {
  return async (fixture: ScreenFixture): Promise<Page> => {
    const page = await fixture.open(formPages[form].path, { prepare });
    await fillInForm(page, input ?? goodInput[form]);
    if (check) await passCaptcha(page);
    await pressSend(page, form);
    return page;
  };
}

/** Opens a path for a visitor whose post nobody can look up. */
export const unchecked =
  (path: string): Open =>
  async (fixture) => {
    await fixture.useUpLookups();
    return fixture.open(path, { as: "unchecked" });
  };

/** The pace of the day refuses all orders from addresses that had an order. */
export const pace = (fixture: ScreenFixture) => fixture.chargeLikes(100_000, "returning");

/** Stops the page's clock after the page has started, so that states that end after a time stay. */
export async function stopClock(page: Page): Promise<Page> {
  await page.clock.pauseAt(Date.now() + 2_000);
  return page;
}
