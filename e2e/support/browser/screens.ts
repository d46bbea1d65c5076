import type { Locator, Page, Route } from "playwright-core";
import { faqGroups } from "@/lib/content/faq";
import type { StatusReply, WaitReason } from "@/lib/http/api-responses";
import { goodInput, type FormName } from "../../forms/inputs";
import type { Screen } from "../../pages/screen-texts";
import { passCaptcha } from "./flow-pages";
import { fillInForm, formPages, pressSend } from "./form-pages";
import { postCode, sandboxCodes } from "../sample-posts";
import type { Place, Stage, StageOpening } from "./stage";

type Prepare = StageOpening["prepare"];
/** The page, or the part of it that stands for the screen. */
type Way = (stage: Stage) => Promise<Page | Locator>;

/** Goes to a screen, in a new window. What it says may still be on its way. */
export async function goToScreen(stage: Stage, screen: Screen): Promise<Place> {
  const place = await ways[screen](stage);
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
  header: async (stage) => main(await stage.open("/faq", { wide: true })),
  "header: Support submenu": async (stage) =>
    main(await press(await stage.open("/faq", { wide: true }), "Support")),
  "header: mobile menu": async (stage) =>
    (await press(await stage.open("/faq"), "Menu")).getByRole("navigation", { name: "Menu" }),
  footer: async (stage) => (await stage.open("/faq")).getByRole("contentinfo"),
  "cookies: asked": async (stage) =>
    (await stage.open("/", { asking: true })).getByRole("dialog", { name: "Your choice about cookies" }),
  "cookies: settings": async (stage) => {
    const page = await stage.open("/", { asking: true });
    await press(page, "Choose");
    return page.getByRole("dialog", { name: "Cookie settings" });
  },

  home: (stage) => home(stage),
  "home: usage loading": (stage) => home(stage, holding("/api/instagram/daily-usage")),
  "home: more than 70 % used": (stage) => charged(stage, 71_000),
  "home: more than 85 % used": (stage) => charged(stage, 86_000),
  "home: more than 95 % used": (stage) => charged(stage, 96_000),
  "home: limit reached": (stage) => charged(stage, 100_000),
  "home: in a cooldown": (stage) => home(stage, (page) => page.addInitScript(storeOrder)),
  "home: usage unknown": (stage) => home(stage, failing("/api/instagram/daily-usage")),
  "home: not a link": (stage) => wrongLink(stage, "hello"),
  "home: link of a profile": (stage) => wrongLink(stage, "https://www.instagram.com/someone/"),
  "home: human check loading": (stage) => homeTouched(stage, holding("/api/recaptcha/sitekey")),
  "home: human check failed": (stage) => homeTouched(stage, failing("/api/recaptcha/sitekey")),
  "home: human check passed": async (stage) => {
    const page = await linkForm(stage);
    await passCaptcha(page);
    return page;
  },
  "home: sent without the human check": async (stage) => {
    const page = await linkForm(stage);
    await pressSend(page, "link");
    return page.getByRole("dialog");
  },
  "home: human check rejected": async (stage) => {
    const page = await sentLink(stage, (each) =>
      each.route("**/api/recaptcha/verify", (route) => {
        const body = route.request().postDataJSON() as object;
        return route.continue({ postData: JSON.stringify({ ...body, token: "forged" }) });
      }),
    );
    return page.getByRole("dialog");
  },
  "home: sending": (stage) => sentLink(stage, holding("/api/recaptcha/verify")),
  "home: sent offline": (stage) => sentLink(stage, unreachable("/api/recaptcha/verify")),

  "verification: without step 1": (stage) => stage.open("/verification/"),
  "verification: the flow is over": (stage) =>
    verification(stage, { prepare: answering("/api/instagram/post-details", flowIsOver) }),
  "verification: verifying": (stage) =>
    verification(stage, { prepare: holding("/api/instagram/post-details") }),
  "verification: asking for the status": (stage) =>
    verification(stage, { prepare: holding("/api/instagram/status") }),
  "verification: error": (stage) => verification(stage, { prepare: failing("/api/instagram/post-details") }),
  "verification: offline": (stage) =>
    verification(stage, { prepare: unreachable("/api/instagram/post-details") }),
  "verification: status unknown": (stage) =>
    verification(stage, { prepare: failing("/api/instagram/status") }),
  "verification: status offline": (stage) =>
    verification(stage, { prepare: unreachable("/api/instagram/status") }),
  "verification: verified": (stage) => verification(stage),
  "verification: verified, a reel": (stage) => verification(stage, { as: stage.cast.ofReel }),
  "verification: verified, an order pending": (stage) =>
    verification(stage, { prepare: withStatus({ pending: true }) }),
  "verification: continuing": async (stage) => {
    const page = await verification(stage, { clock: true });
    await button(page, "Continue to Get Likes").waitFor();
    return press(await stopClock(page), "Continue to Get Likes");
  },
  "verification: rate limited": (stage) => verification(stage, { as: stage.cast.returning }),
  "verification: rate limited, half of it over": (stage) =>
    verification(stage, { prepare: waitingFor("cooldown", 2) }),
  "verification: six requests in a day": (stage) => verification(stage, { prepare: waitingFor("daily_cap") }),
  "verification: too many of a network": (stage) =>
    verification(stage, { prepare: waitingFor("address_cap") }),
  "private-account-error: without step 1": (stage) => stage.open("/private-account-error/"),
  "private-account-error": (stage) => stage.open("/private-account-error/", { as: stage.cast.ofPrivatePost }),
  "private-account-error: no such post": (stage) =>
    stage.open("/private-account-error/", { as: stage.cast.ofMissingPost }),

  "get-likes: without the steps before": (stage) => stage.open("/get-likes/"),
  "get-likes: loading": (stage) => getLikes(stage, { prepare: holding("/api/instagram/post-details") }),
  "get-likes: the flow is over": (stage) =>
    getLikes(stage, { prepare: answering("/api/instagram/post-details", flowIsOver) }),
  "get-likes: post not loaded": (stage) =>
    getLikes(stage, { prepare: failing("/api/instagram/post-details") }),
  "get-likes: offline": (stage) => getLikes(stage, { prepare: unreachable("/api/instagram/post-details") }),
  "get-likes: no such post": (stage) =>
    getLikes(stage, { prepare: answering("/api/instagram/post-details", postIsGone) }),
  "get-likes: ready": (stage) => getLikes(stage),
  "get-likes: sending, 0 %": (stage) => sending(stage, 0),
  "get-likes: sending, 20 %": (stage) => sending(stage, 20),
  "get-likes: sending, 40 %": (stage) => sending(stage, 40),
  "get-likes: sending, 60 %": (stage) => sending(stage, 60),
  "get-likes: sending, 80 %": (stage) => sending(stage, 80),
  "get-likes: sending, 95 %": (stage) => sending(stage, 95),
  "get-likes: refused": (stage) => sent(stage, () => refuse(stage, "The words of the delivery service.")),
  "get-likes: failed without words": (stage) => sent(stage, failing("/api/instagram/like")),
  "get-likes: sent offline": (stage) => sent(stage, unreachable("/api/instagram/like")),
  "get-likes: pending": (stage) =>
    sent(stage, () => stage.receiver.respond("error"), { as: stage.cast.pending }),
  "get-likes: limited": (stage) => sent(stage, undefined, { as: stage.cast.returning }),
  "get-likes: daily limit reached": async (stage) => {
    await stage.chargeLikes(100_000);
    return getLikes(stage, { prepare: withoutCache });
  },
  "get-likes: daily limit reached while sending": (stage) => sent(stage, () => stage.chargeLikes(100_000)),

  "success: without the steps before": (stage) => stage.open("/success/"),
  "success: starting over": async (stage) => {
    const page = await stopClock(await stage.open("/success/", { clock: true }));
    await page.getByText("Start from Step 1").click();
    return page;
  },
  success: (stage) => stage.open("/success/", { as: stage.cast.ordered }),
  "success: loading": (stage) =>
    stage.open("/success/", { as: stage.cast.ordered, prepare: holding("/api/instagram/receipt") }),
  "success: receipt not loaded": (stage) =>
    stage.open("/success/", { as: stage.cast.ordered, prepare: failing("/api/instagram/receipt") }),
  "success: going home": (stage) => leaving(stage, "Go to Home"),
  "success: boosting another post": (stage) => leaving(stage, "Boost Another Post"),

  "preview: loading": (stage) => preview(stage, { prepare: holding("/api/instagram/post-details") }),
  "preview: post not loaded": (stage) => preview(stage, { prepare: failing("/api/instagram/post-details") }),
  "preview: offline": (stage) => preview(stage, { prepare: unreachable("/api/instagram/post-details") }),
  "preview: no such post": (stage) =>
    preview(stage, { prepare: answering("/api/instagram/post-details", postIsGone) }),
  "preview: without an id": (stage) => stage.open("/preview/", { as: stage.cast.verified }),
  "preview: post": (stage) => preview(stage),
  "preview: reel": (stage) => preview(stage, { as: stage.cast.ofReel }),
  "preview: limited": (stage) => preview(stage, { as: stage.cast.ofLimitedPost }, sandboxCodes.withoutImage),
  "preview: daily limit reached": async (stage) => {
    await stage.chargeLikes(100_000);
    return preview(stage, { prepare: withoutCache });
  },
  "preview: requesting": (stage) => orderFromPreview(stage, { prepare: holding("/api/instagram/status") }),
  "preview: success": (stage) => orderFromPreview(stage, { as: stage.cast.ordering }),
  "preview: pending": (stage) => {
    stage.receiver.respond("error");
    return orderFromPreview(stage, { as: stage.cast.pending });
  },
  "preview: limit": (stage) => orderFromPreview(stage, { as: stage.cast.returning }),
  "preview: status unknown": (stage) =>
    orderFromPreview(stage, { prepare: failing("/api/instagram/status") }),
  "preview: refused": (stage) => {
    refuse(stage, "The words of the delivery service.");
    return orderFromPreview(stage);
  },
  "preview: failed without words": (stage) =>
    orderFromPreview(stage, { prepare: failing("/api/instagram/like") }),
  "preview: sent offline": (stage) =>
    orderFromPreview(stage, { prepare: unreachable("/api/instagram/like") }),
  "preview: refused as private": (stage) => {
    refuse(stage, "The account is private.");
    return orderFromPreview(stage);
  },
  "preview: broken by something else": async (stage) => {
    const page = await preview(stage);
    await button(page, "Get 50 Free Likes").waitFor();
    await page.evaluate("JSON.stringify = () => { throw 'not an Error'; }");
    return press(page, "Get 50 Free Likes");
  },

  contact: (stage) => form(stage, "contact"),
  "contact: filled in wrongly": (stage) => empty(stage, "contact"),
  "contact: human check loading": (stage) => touched(stage, "contact", holding("/api/recaptcha/sitekey")),
  "contact: human check failed": (stage) => touched(stage, "contact", failing("/api/recaptcha/sitekey")),
  "contact: sent without the human check": (stage) => submittedUnchecked(stage, "contact"),
  "contact: sending": (stage) => submitted(stage, "contact", holding("/api/contact/submit")),
  "contact: failed": (stage) => submitted(stage, "contact", failing("/api/contact/submit")),
  "contact: offline": (stage) => submitted(stage, "contact", unreachable("/api/contact/submit")),
  "contact: sent": (stage) => submitted(stage, "contact"),
  feedback: (stage) => form(stage, "feedback"),
  "feedback: filled in wrongly": (stage) => empty(stage, "feedback"),
  "feedback: human check loading": (stage) => touched(stage, "feedback", holding("/api/recaptcha/sitekey")),
  "feedback: human check failed": (stage) => touched(stage, "feedback", failing("/api/recaptcha/sitekey")),
  "feedback: sent without the human check": (stage) => submittedUnchecked(stage, "feedback"),
  "feedback: sending": (stage) => submitted(stage, "feedback", holding("/api/feedback/submit")),
  "feedback: failed": (stage) => submitted(stage, "feedback", failing("/api/feedback/submit")),
  "feedback: sent": (stage) => submitted(stage, "feedback"),
  "report-issue": (stage) => form(stage, "issue"),
  "report-issue: Cooldown error": (stage) => commonIssue(stage, "Cooldown error"),
  "report-issue: Private account error": (stage) => commonIssue(stage, "Private account error"),
  "report-issue: URL format error": (stage) => commonIssue(stage, "URL format error"),
  "report-issue: No likes appearing": (stage) => commonIssue(stage, "No likes appearing"),
  "report-issue: filled in wrongly": (stage) => empty(stage, "issue"),
  "report-issue: human check loading": (stage) => touched(stage, "issue", holding("/api/recaptcha/sitekey")),
  "report-issue: human check failed": (stage) => touched(stage, "issue", failing("/api/recaptcha/sitekey")),
  "report-issue: sent without the human check": (stage) => submittedUnchecked(stage, "issue"),
  "report-issue: sending": (stage) => submitted(stage, "issue", holding("/api/issue/submit")),
  "report-issue: failed": (stage) => submitted(stage, "issue", failing("/api/issue/submit")),
  "report-issue: sent": (stage) => submitted(stage, "issue"),

  "how-it-works": (stage) => stage.open("/how-it-works"),
  testimonials: (stage) => stage.open("/testimonials"),
  faq: (stage) => stage.open("/faq"),
  "faq: About the Service": (stage) => faqPart(stage, "About the Service"),
  "faq: Technical Questions": (stage) => faqPart(stage, "Technical Questions"),
  "faq: How long does delivery take?": (stage) => faqAnswer(stage, "How long does delivery take?"),
  "faq: Limits & Restrictions": (stage) => faqPart(stage, "Limits & Restrictions"),
  "faq: How do you know that I have been here before?": (stage) =>
    faqAnswer(stage, "How do you know that I have been here before?"),
  "faq: Safety & Privacy": (stage) => faqPart(stage, "Safety & Privacy"),
  "faq: What data do you collect?": (stage) => faqAnswer(stage, "What data do you collect?"),
  "faq: Which cookies do you set?": (stage) => faqAnswer(stage, "Which cookies do you set?"),
  support: (stage) => stage.open("/support"),
  "support: How do I request likes?": (stage) => supportTopic(stage, "How do I request likes?"),
  "support: Why do I see a cooldown message?": (stage) =>
    supportTopic(stage, "Why do I see a cooldown message?"),
  "support: Why is my post marked as private?": (stage) =>
    supportTopic(stage, "Why is my post marked as private?"),
  "support: I got a confirmation, but I see no likes. What now?": (stage) =>
    supportTopic(stage, "I got a confirmation, but I see no likes. What now?"),

  "terms-of-service": (stage) => stage.open("/terms-of-service"),
  "privacy-policy": (stage) => stage.open("/privacy-policy"),
  disclaimer: (stage) => stage.open("/disclaimer"),

  "not found": (stage) => stage.open("/no-such-page"),
  // A function of the browser fails, so React cannot render the receipt.
  "broken page": (stage) =>
    stage.open("/success/", { as: stage.cast.ordered, prepare: (page) => page.addInitScript(breakDates) }),
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

const home = (stage: Stage, prepare: Prepare = withoutCache) => stage.open("/", { prepare });
const verification = (stage: Stage, options: StageOpening = {}) =>
  stage.open("/verification/", { as: stage.cast.verified, ...options });
const getLikes = (stage: Stage, options: StageOpening = {}) =>
  stage.open("/get-likes/", { as: stage.cast.verified, ...options });
const preview = (stage: Stage, options: StageOpening = {}, id = postCode) =>
  stage.open(`/preview/${id}?from=url-entry`, { as: stage.cast.verified, ...options });

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

async function charged(stage: Stage, likes: number): Promise<Page> {
  await stage.chargeLikes(likes);
  return home(stage);
}

async function homeTouched(stage: Stage, prepare: Prepare): Promise<Page> {
  const page = await home(stage, prepare);
  await page.getByRole("textbox").focus();
  return page;
}

/** The home page's form, filled in. */
async function linkForm(stage: Stage, prepare?: Prepare): Promise<Page> {
  const page = await home(stage, prepare);
  await fillInForm(page, goodInput.link);
  return page;
}

async function wrongLink(stage: Stage, link: string): Promise<Page> {
  const page = await home(stage);
  await fillInForm(page, { link });
  await pressSend(page, "link");
  return page;
}

async function sentLink(stage: Stage, prepare: Prepare): Promise<Page> {
  const page = await linkForm(stage, prepare);
  await passCaptcha(page);
  await pressSend(page, "link");
  return page;
}

/** Step 3 when its bar has run for a share of its time. */
async function sending(stage: Stage, percent: number, options: StageOpening = {}): Promise<Page> {
  const page = await getLikes(stage, {
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
  stage: Stage,
  before: (page: Page) => unknown = () => undefined,
  options: StageOpening = {},
): Promise<Page> {
  const page = await sending(stage, 95, options);
  await before(page);
  await page.clock.runFor(1_500);
  // The request itself waits for the browser to have time.
  await page.clock.resume();
  return page;
}

/** The success page after a press, before the next page. */
async function leaving(stage: Stage, name: string): Promise<Page> {
  const page = await stopClock(await stage.open("/success/", { as: stage.cast.ordered, clock: true }));
  await page.getByRole("link", { name }).click();
  return page;
}

async function orderFromPreview(stage: Stage, options: StageOpening = {}): Promise<Page> {
  return press(await preview(stage, options), "Get 50 Free Likes");
}

function refuse(stage: Stage, message: string): void {
  stage.receiver.respond({ status: 422, body: { message } });
}

type MessageForm = Exclude<FormName, "link">;

const form = (stage: Stage, name: MessageForm, prepare?: Prepare) =>
  stage.open(formPages[name].path, { prepare });

async function touched(stage: Stage, name: MessageForm, prepare: Prepare): Promise<Page> {
  const page = await form(stage, name, prepare);
  await page.getByRole("textbox", { name: "Name" }).focus();
  return page;
}

/** Sent with nothing in it. */
async function empty(stage: Stage, name: MessageForm): Promise<Page> {
  const page = await form(stage, name);
  await pressSend(page, name);
  return page;
}

async function submitted(stage: Stage, name: MessageForm, prepare?: Prepare): Promise<Page> {
  const page = await form(stage, name, prepare);
  await fillInForm(page, goodInput[name]);
  await passCaptcha(page);
  await pressSend(page, name);
  return page;
}

async function submittedUnchecked(stage: Stage, name: MessageForm): Promise<Page> {
  const page = await form(stage, name);
  await fillInForm(page, goodInput[name]);
  await pressSend(page, name);
  return page;
}

async function commonIssue(stage: Stage, title: string): Promise<Page> {
  return answer(await form(stage, "issue"), title);
}

async function faqPart(stage: Stage, title: string): Promise<Page> {
  const page = await stage.open("/faq");
  await chooseTab(page, title);
  return page;
}

async function faqAnswer(stage: Stage, question: string): Promise<Page> {
  const part = faqGroups.find(({ questions }) => questions.some((each) => each.question === question));
  return answer(await faqPart(stage, part?.title ?? ""), question);
}

async function supportTopic(stage: Stage, question: string): Promise<Page> {
  return answer(await stage.open("/support"), question);
}
