import type { Locator, Page, Route } from "@playwright/test";
import { faqGroups } from "@/lib/content/faq";
import type { StatusReply, WaitReason } from "@/lib/http/api-responses";
import { goodInput, type FormName } from "../../forms/inputs";
import type { Screen } from "../../pages/screen-texts";
import { passCaptcha } from "./flow-pages";
import { fillInForm, formPages, pressSend } from "./form-pages";
import { postCode, sandboxCodes } from "../sample-posts";
import type { Place, ScreenFixture, ScreenOptions } from "./screen-fixture";

type Prepare = ScreenOptions["prepare"];
/** The page, or the part of it that stands for the screen. */
type Way = (fixture: ScreenFixture) => Promise<Page | Locator>;

/** Goes to a screen, in a new window. What it says may still be on its way. */
export async function goToScreen(fixture: ScreenFixture, screen: Screen): Promise<Place> {
  const place = await ways[screen](fixture);
  return "goto" in place ? { page: place, root: place.locator("body") } : { page: place.page(), root: place };
}

/** Chooses a part of the Help Center where its parts are tabs; without script they stand one under the other. */
export async function chooseTab(page: Page, title: string): Promise<void> {
  const tab = page.getByRole("tab", { name: title });
  if (await tab.count()) await tab.click();
}

/** Opens one answer of a list. */
export async function answer(page: Page, question: string): Promise<Page> {
  await page.locator("summary").getByText(question, { exact: true }).click();
  return page;
}

/** Screens that are there on wide windows only, or on narrow ones. */
export const onlyWide: ReadonlySet<Screen> = new Set(["header", "header: Support submenu"]);
export const onlyNarrow: ReadonlySet<Screen> = new Set(["header: mobile menu"]);

const ways: Record<Screen, Way> = {
  header: async (fixture) => main(await fixture.open("/faq", { wide: true })),
  "header: Support submenu": async (fixture) =>
    main(await press(await fixture.open("/faq", { wide: true }), "Support")),
  "header: mobile menu": async (fixture) =>
    (await press(await fixture.open("/faq"), "Menu")).getByRole("navigation", { name: "Menu" }),
  footer: async (fixture) => (await fixture.open("/faq")).getByRole("contentinfo"),
  "cookies: asked": async (fixture) =>
    (await fixture.open("/", { asking: true })).getByRole("dialog", { name: "Your choice about cookies" }),
  "cookies: settings": async (fixture) => {
    const page = await fixture.open("/", { asking: true });
    await press(page, "Choose");
    return page.getByRole("dialog", { name: "Cookie settings" });
  },

  home: (fixture) => home(fixture),
  "home: usage loading": (fixture) => home(fixture, holding("/api/instagram/daily-usage")),
  "home: more than 70 % used": (fixture) => charged(fixture, 71_000),
  "home: more than 85 % used": (fixture) => charged(fixture, 86_000),
  "home: more than 95 % used": (fixture) => charged(fixture, 96_000),
  "home: limit reached": (fixture) => charged(fixture, 100_000),
  "home: in a cooldown": (fixture) => home(fixture, (page) => page.addInitScript(storeOrder)),
  "home: usage unknown": (fixture) => home(fixture, failing("/api/instagram/daily-usage")),
  "home: not a link": (fixture) => wrongLink(fixture, "hello"),
  "home: link of a profile": (fixture) => wrongLink(fixture, "https://www.instagram.com/someone/"),
  "home: human check loading": (fixture) => homeTouched(fixture, holding("/api/recaptcha/sitekey")),
  "home: human check failed": (fixture) => homeTouched(fixture, failing("/api/recaptcha/sitekey")),
  "home: human check passed": async (fixture) => {
    const page = await linkForm(fixture);
    await passCaptcha(page);
    return page;
  },
  "home: sent without the human check": async (fixture) => {
    const page = await linkForm(fixture);
    await pressSend(page, "link");
    return page.getByRole("dialog");
  },
  "home: human check rejected": async (fixture) => {
    const page = await sentLink(fixture, (each) =>
      each.route("**/api/recaptcha/verify", (route) => {
        const body = route.request().postDataJSON() as object;
        return route.continue({ postData: JSON.stringify({ ...body, token: "forged" }) });
      }),
    );
    return page.getByRole("dialog");
  },
  "home: sending": (fixture) => sentLink(fixture, holding("/api/recaptcha/verify")),
  "home: sent offline": (fixture) => sentLink(fixture, unreachable("/api/recaptcha/verify")),

  "verification: without step 1": (fixture) => fixture.open("/verification/"),
  "verification: the flow is over": (fixture) =>
    verification(fixture, { prepare: answering("/api/instagram/post-details", flowIsOver) }),
  "verification: verifying": (fixture) =>
    verification(fixture, { prepare: holding("/api/instagram/post-details") }),
  "verification: asking for the status": (fixture) =>
    verification(fixture, { prepare: holding("/api/instagram/status") }),
  "verification: error": (fixture) =>
    verification(fixture, { prepare: failing("/api/instagram/post-details") }),
  "verification: offline": (fixture) =>
    verification(fixture, { prepare: unreachable("/api/instagram/post-details") }),
  "verification: status unknown": (fixture) =>
    verification(fixture, { prepare: failing("/api/instagram/status") }),
  "verification: status offline": (fixture) =>
    verification(fixture, { prepare: unreachable("/api/instagram/status") }),
  "verification: verified": (fixture) => verification(fixture),
  "verification: verified, a reel": (fixture) => verification(fixture, { as: fixture.visitors.ofReel }),
  "verification: verified, an order pending": (fixture) =>
    verification(fixture, { prepare: withStatus({ pending: true }) }),
  "verification: continuing": async (fixture) => {
    const page = await verification(fixture, { clock: true });
    await button(page, "Continue to Get Likes").waitFor();
    return press(await stopClock(page), "Continue to Get Likes");
  },
  "verification: rate limited": (fixture) => verification(fixture, { as: fixture.visitors.returning }),
  "verification: rate limited, half of it over": (fixture) =>
    verification(fixture, { prepare: waitingFor("cooldown", 2) }),
  "verification: six requests in a day": (fixture) =>
    verification(fixture, { prepare: waitingFor("daily_cap") }),
  "verification: too many of a network": (fixture) =>
    verification(fixture, { prepare: waitingFor("address_cap") }),
  "private-account-error: without step 1": (fixture) => fixture.open("/private-account-error/"),
  "private-account-error": (fixture) =>
    fixture.open("/private-account-error/", { as: fixture.visitors.ofPrivatePost }),
  "private-account-error: no such post": (fixture) =>
    fixture.open("/private-account-error/", { as: fixture.visitors.ofMissingPost }),

  "get-likes: without the steps before": (fixture) => fixture.open("/get-likes/"),
  "get-likes: loading": (fixture) => getLikes(fixture, { prepare: holding("/api/instagram/post-details") }),
  "get-likes: the flow is over": (fixture) =>
    getLikes(fixture, { prepare: answering("/api/instagram/post-details", flowIsOver) }),
  "get-likes: post not loaded": (fixture) =>
    getLikes(fixture, { prepare: failing("/api/instagram/post-details") }),
  "get-likes: offline": (fixture) =>
    getLikes(fixture, { prepare: unreachable("/api/instagram/post-details") }),
  "get-likes: no such post": (fixture) =>
    getLikes(fixture, { prepare: answering("/api/instagram/post-details", postIsGone) }),
  "get-likes: ready": (fixture) => getLikes(fixture),
  "get-likes: sending, 0 %": (fixture) => sending(fixture, 0),
  "get-likes: sending, 20 %": (fixture) => sending(fixture, 20),
  "get-likes: sending, 40 %": (fixture) => sending(fixture, 40),
  "get-likes: sending, 60 %": (fixture) => sending(fixture, 60),
  "get-likes: sending, 80 %": (fixture) => sending(fixture, 80),
  "get-likes: sending, 95 %": (fixture) => sending(fixture, 95),
  "get-likes: refused": (fixture) =>
    sent(fixture, () => refuse(fixture, "The words of the delivery service.")),
  "get-likes: failed without words": (fixture) => sent(fixture, failing("/api/instagram/like")),
  "get-likes: sent offline": (fixture) => sent(fixture, unreachable("/api/instagram/like")),
  "get-likes: pending": (fixture) =>
    sent(fixture, () => fixture.receiver.respond("error"), { as: fixture.visitors.pending }),
  "get-likes: limited": (fixture) => sent(fixture, undefined, { as: fixture.visitors.returning }),
  "get-likes: daily limit reached": async (fixture) => {
    await fixture.chargeLikes(100_000);
    return getLikes(fixture, { prepare: withoutCache });
  },
  "get-likes: daily limit reached while sending": (fixture) =>
    sent(fixture, () => fixture.chargeLikes(100_000)),

  "success: without the steps before": (fixture) => fixture.open("/success/"),
  "success: starting over": async (fixture) => {
    const page = await stopClock(await fixture.open("/success/", { clock: true }));
    await page.getByText("Start from Step 1").click();
    return page;
  },
  success: (fixture) => fixture.open("/success/", { as: fixture.visitors.ordered }),
  "success: loading": (fixture) =>
    fixture.open("/success/", { as: fixture.visitors.ordered, prepare: holding("/api/instagram/receipt") }),
  "success: receipt not loaded": (fixture) =>
    fixture.open("/success/", { as: fixture.visitors.ordered, prepare: failing("/api/instagram/receipt") }),
  "success: going home": (fixture) => leaving(fixture, "Go to Home"),
  "success: boosting another post": (fixture) => leaving(fixture, "Boost Another Post"),

  "preview: loading": (fixture) => preview(fixture, { prepare: holding("/api/instagram/post-details") }),
  "preview: post not loaded": (fixture) =>
    preview(fixture, { prepare: failing("/api/instagram/post-details") }),
  "preview: offline": (fixture) => preview(fixture, { prepare: unreachable("/api/instagram/post-details") }),
  "preview: no such post": (fixture) =>
    preview(fixture, { prepare: answering("/api/instagram/post-details", postIsGone) }),
  "preview: without an id": (fixture) => fixture.open("/preview/", { as: fixture.visitors.verified }),
  "preview: post": (fixture) => preview(fixture),
  "preview: reel": (fixture) => preview(fixture, { as: fixture.visitors.ofReel }),
  "preview: limited": (fixture) =>
    preview(fixture, { as: fixture.visitors.ofLimitedPost }, sandboxCodes.withoutImage),
  "preview: daily limit reached": async (fixture) => {
    await fixture.chargeLikes(100_000);
    return preview(fixture, { prepare: withoutCache });
  },
  "preview: requesting": (fixture) =>
    orderFromPreview(fixture, { prepare: holding("/api/instagram/status") }),
  "preview: success": (fixture) => orderFromPreview(fixture, { as: fixture.visitors.ordering }),
  "preview: pending": (fixture) => {
    fixture.receiver.respond("error");
    return orderFromPreview(fixture, { as: fixture.visitors.pending });
  },
  "preview: limit": (fixture) => orderFromPreview(fixture, { as: fixture.visitors.returning }),
  "preview: status unknown": (fixture) =>
    orderFromPreview(fixture, { prepare: failing("/api/instagram/status") }),
  "preview: refused": (fixture) => {
    refuse(fixture, "The words of the delivery service.");
    return orderFromPreview(fixture);
  },
  "preview: failed without words": (fixture) =>
    orderFromPreview(fixture, { prepare: failing("/api/instagram/like") }),
  "preview: sent offline": (fixture) =>
    orderFromPreview(fixture, { prepare: unreachable("/api/instagram/like") }),
  "preview: refused as private": (fixture) => {
    refuse(fixture, "The account is private.");
    return orderFromPreview(fixture);
  },
  "preview: broken by something else": async (fixture) => {
    const page = await preview(fixture);
    await button(page, "Get 50 Free Likes").waitFor();
    await page.evaluate("JSON.stringify = () => { throw 'not an Error'; }");
    return press(page, "Get 50 Free Likes");
  },

  contact: (fixture) => form(fixture, "contact"),
  "contact: filled in wrongly": (fixture) => empty(fixture, "contact"),
  "contact: human check loading": (fixture) => touched(fixture, "contact", holding("/api/recaptcha/sitekey")),
  "contact: human check failed": (fixture) => touched(fixture, "contact", failing("/api/recaptcha/sitekey")),
  "contact: sent without the human check": (fixture) => submittedUnchecked(fixture, "contact"),
  "contact: sending": (fixture) => submitted(fixture, "contact", holding("/api/contact/submit")),
  "contact: failed": (fixture) => submitted(fixture, "contact", failing("/api/contact/submit")),
  "contact: offline": (fixture) => submitted(fixture, "contact", unreachable("/api/contact/submit")),
  "contact: sent": (fixture) => submitted(fixture, "contact"),
  feedback: (fixture) => form(fixture, "feedback"),
  "feedback: filled in wrongly": (fixture) => empty(fixture, "feedback"),
  "feedback: human check loading": (fixture) =>
    touched(fixture, "feedback", holding("/api/recaptcha/sitekey")),
  "feedback: human check failed": (fixture) =>
    touched(fixture, "feedback", failing("/api/recaptcha/sitekey")),
  "feedback: sent without the human check": (fixture) => submittedUnchecked(fixture, "feedback"),
  "feedback: sending": (fixture) => submitted(fixture, "feedback", holding("/api/feedback/submit")),
  "feedback: failed": (fixture) => submitted(fixture, "feedback", failing("/api/feedback/submit")),
  "feedback: sent": (fixture) => submitted(fixture, "feedback"),
  "report-issue": (fixture) => form(fixture, "issue"),
  "report-issue: Cooldown error": (fixture) => commonIssue(fixture, "Cooldown error"),
  "report-issue: Private account error": (fixture) => commonIssue(fixture, "Private account error"),
  "report-issue: URL format error": (fixture) => commonIssue(fixture, "URL format error"),
  "report-issue: No likes appearing": (fixture) => commonIssue(fixture, "No likes appearing"),
  "report-issue: filled in wrongly": (fixture) => empty(fixture, "issue"),
  "report-issue: human check loading": (fixture) =>
    touched(fixture, "issue", holding("/api/recaptcha/sitekey")),
  "report-issue: human check failed": (fixture) =>
    touched(fixture, "issue", failing("/api/recaptcha/sitekey")),
  "report-issue: sent without the human check": (fixture) => submittedUnchecked(fixture, "issue"),
  "report-issue: sending": (fixture) => submitted(fixture, "issue", holding("/api/issue/submit")),
  "report-issue: failed": (fixture) => submitted(fixture, "issue", failing("/api/issue/submit")),
  "report-issue: sent": (fixture) => submitted(fixture, "issue"),

  "how-it-works": (fixture) => fixture.open("/how-it-works"),
  testimonials: (fixture) => fixture.open("/testimonials"),
  faq: (fixture) => fixture.open("/faq"),
  "faq: About the Service": (fixture) => faqPart(fixture, "About the Service"),
  "faq: Technical Questions": (fixture) => faqPart(fixture, "Technical Questions"),
  "faq: How long does delivery take?": (fixture) => faqAnswer(fixture, "How long does delivery take?"),
  "faq: Limits & Restrictions": (fixture) => faqPart(fixture, "Limits & Restrictions"),
  "faq: How do you know that I have been here before?": (fixture) =>
    faqAnswer(fixture, "How do you know that I have been here before?"),
  "faq: Safety & Privacy": (fixture) => faqPart(fixture, "Safety & Privacy"),
  "faq: What data do you collect?": (fixture) => faqAnswer(fixture, "What data do you collect?"),
  "faq: Which cookies do you set?": (fixture) => faqAnswer(fixture, "Which cookies do you set?"),
  support: (fixture) => fixture.open("/support"),
  "support: How do I request likes?": (fixture) => supportTopic(fixture, "How do I request likes?"),
  "support: Why do I see a cooldown message?": (fixture) =>
    supportTopic(fixture, "Why do I see a cooldown message?"),
  "support: Why is my post marked as private?": (fixture) =>
    supportTopic(fixture, "Why is my post marked as private?"),
  "support: I got a confirmation, but I see no likes. What now?": (fixture) =>
    supportTopic(fixture, "I got a confirmation, but I see no likes. What now?"),

  "terms-of-service": (fixture) => fixture.open("/terms-of-service"),
  "privacy-policy": (fixture) => fixture.open("/privacy-policy"),
  disclaimer: (fixture) => fixture.open("/disclaimer"),

  "not found": (fixture) => fixture.open("/no-such-page"),
  // A function of the browser fails, so React cannot render the receipt.
  "broken page": (fixture) =>
    fixture.open("/success/", {
      as: fixture.visitors.ordered,
      prepare: (page) => page.addInitScript(breakDates),
    }),
};

const button = (page: Page, name: string) => page.getByRole("button", { name });
const press = async (page: Page, name: string) => (await button(page, name).click(), page);
const main = (page: Page) => page.getByRole("navigation", { name: "Main" });

/** A call that is not answered while the page is looked at. */
const holding = (path: string) => (page: Page) => page.route(`**${path}`, () => undefined);
const answering = (path: string, answer: Parameters<Route["fulfill"]>[0]) => (page: Page) =>
  page.route(`**${path}`, (route) => route.fulfill(answer));
/** A call that fails without a word. */
const failing = (path: string) => answering(path, { status: 500, body: "" });
/** What the cookie proved has passed meanwhile. */
const flowIsOver = { status: 403, json: { success: false, code: "flow_required" } };
/** Deleted between the steps. */
const postIsGone = {
  json: {
    success: false,
    code: "post_missing",
    message: "We couldn't find this post. It may have been deleted, or its account may be private.",
  },
};
/** A call on a line that has gone. */
const unreachable = (path: string) => (page: Page) =>
  page.route(`**${path}`, (route) => route.abort("internetdisconnected"));
/** A status that takes a day, another browser or a whole network to come to. */
const withStatus = (status: Partial<StatusReply>) => (page: Page) =>
  page.route("**/api/instagram/status", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as StatusReply), ...status } });
  });
/** One that lets nobody request for some hours. */
const waitingFor = (reason: WaitReason, hours = 5) =>
  withStatus({
    canRequest: false,
    nextAvailable: new Date(Date.now() + hours * 3_600_000).toISOString(),
    timeLeft: { hours, minutes: 0, seconds: 0 },
    reason,
  });

/** The day's use is cached; on a page with a route nothing is. */
const withoutCache = (page: Page) => page.route("**/api/instagram/daily-usage", (route) => route.continue());

/** Stops the page's clock, once it has started up: what waits for a timer can be looked at. */
async function stopClock(page: Page): Promise<Page> {
  await page.clock.pauseAt(Date.now() + 2_000);
  return page;
}

const home = (fixture: ScreenFixture, prepare: Prepare = withoutCache) => fixture.open("/", { prepare });
const verification = (fixture: ScreenFixture, options: ScreenOptions = {}) =>
  fixture.open("/verification/", { as: fixture.visitors.verified, ...options });
const getLikes = (fixture: ScreenFixture, options: ScreenOptions = {}) =>
  fixture.open("/get-likes/", { as: fixture.visitors.verified, ...options });
const preview = (fixture: ScreenFixture, options: ScreenOptions = {}, id = postCode) =>
  fixture.open(`/preview/${id}?from=url-entry`, { as: fixture.visitors.verified, ...options });

function breakDates(): void {
  Intl.DateTimeFormat = (() => {
    throw new Error("broken");
  }) as never;
}

/** Stores an order as the pages do, with three hours of its cooldown left. */
function storeOrder(): void {
  const nextAvailable = new Date(Date.now() + 3 * 3_600_000).toISOString();
  if (location.protocol.startsWith("http"))
    localStorage.setItem("last-order", JSON.stringify({ nextAvailable, dailyLimit: null, storedAt: 0 }));
}

async function charged(fixture: ScreenFixture, likes: number): Promise<Page> {
  await fixture.chargeLikes(likes);
  return home(fixture);
}

async function homeTouched(fixture: ScreenFixture, prepare: Prepare): Promise<Page> {
  const page = await home(fixture, prepare);
  await page.getByRole("textbox").focus();
  return page;
}

/** The home page's form, filled in. */
async function linkForm(fixture: ScreenFixture, prepare?: Prepare): Promise<Page> {
  const page = await home(fixture, prepare);
  await fillInForm(page, goodInput.link);
  return page;
}

async function wrongLink(fixture: ScreenFixture, link: string): Promise<Page> {
  const page = await home(fixture);
  await fillInForm(page, { link });
  await pressSend(page, "link");
  return page;
}

async function sentLink(fixture: ScreenFixture, prepare: Prepare): Promise<Page> {
  const page = await linkForm(fixture, prepare);
  await passCaptcha(page);
  await pressSend(page, "link");
  return page;
}

/** Step 3 when its bar has run for a share of its time. */
async function sending(fixture: ScreenFixture, percent: number, options: ScreenOptions = {}): Promise<Page> {
  const page = await getLikes(fixture, {
    ...options,
    clock: true,
    async prepare(page) {
      await withoutCache(page);
      // The shortest time: ten seconds.
      await page.addInitScript(() => (Math.random = () => 0));
    },
  });
  await button(page, "Send 50 Free Likes").waitFor();
  await stopClock(page);
  await press(page, "Send 50 Free Likes");
  await page.getByText("Connecting to Instagram...").waitFor();
  await page.clock.runFor(percent * 100);
  return page;
}

/** Step 3 after its request. */
async function sent(
  fixture: ScreenFixture,
  before: (page: Page) => unknown = () => undefined,
  options: ScreenOptions = {},
): Promise<Page> {
  const page = await sending(fixture, 95, options);
  await before(page);
  await page.clock.runFor(1_500);
  // The request itself waits for the browser to have time.
  await page.clock.resume();
  return page;
}

/** The success page after a press, before the next page. */
async function leaving(fixture: ScreenFixture, name: string): Promise<Page> {
  const page = await stopClock(
    await fixture.open("/success/", { as: fixture.visitors.ordered, clock: true }),
  );
  await page.getByRole("link", { name }).click();
  return page;
}

async function orderFromPreview(fixture: ScreenFixture, options: ScreenOptions = {}): Promise<Page> {
  return press(await preview(fixture, options), "Get 50 Free Likes");
}

function refuse(fixture: ScreenFixture, message: string): void {
  fixture.receiver.respond({ status: 422, body: { message } });
}

type MessageForm = Exclude<FormName, "link">;

const form = (fixture: ScreenFixture, name: MessageForm, prepare?: Prepare) =>
  fixture.open(formPages[name].path, { prepare });

async function touched(fixture: ScreenFixture, name: MessageForm, prepare: Prepare): Promise<Page> {
  const page = await form(fixture, name, prepare);
  await page.getByRole("textbox", { name: "Name" }).focus();
  return page;
}

/** Sent with nothing in it. */
async function empty(fixture: ScreenFixture, name: MessageForm): Promise<Page> {
  const page = await form(fixture, name);
  await pressSend(page, name);
  return page;
}

async function submitted(fixture: ScreenFixture, name: MessageForm, prepare?: Prepare): Promise<Page> {
  const page = await form(fixture, name, prepare);
  await fillInForm(page, goodInput[name]);
  await passCaptcha(page);
  await pressSend(page, name);
  return page;
}

async function submittedUnchecked(fixture: ScreenFixture, name: MessageForm): Promise<Page> {
  const page = await form(fixture, name);
  await fillInForm(page, goodInput[name]);
  await pressSend(page, name);
  return page;
}

async function commonIssue(fixture: ScreenFixture, title: string): Promise<Page> {
  return answer(await form(fixture, "issue"), title);
}

async function faqPart(fixture: ScreenFixture, title: string): Promise<Page> {
  const page = await fixture.open("/faq");
  await chooseTab(page, title);
  return page;
}

async function faqAnswer(fixture: ScreenFixture, question: string): Promise<Page> {
  const part = faqGroups.find(({ questions }) => questions.some((each) => each.question === question));
  return answer(await faqPart(fixture, part?.title ?? ""), question);
}

async function supportTopic(fixture: ScreenFixture, question: string): Promise<Page> {
  return answer(await fixture.open("/support"), question);
}
