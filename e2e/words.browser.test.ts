import type { Browser, Locator, Page } from "playwright-core";
import { faqGroups } from "@/lib/content/faq";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { startApp, type AppServer } from "./support/app-server";
import { launchBrowser } from "./support/browser";
import { newWindow, passCaptcha, type VisitOptions, type Window } from "./support/flow-pages";
import { fillInForm, formPages, pressSend } from "./support/form-pages";
import { startRedis, type RedisServer } from "./support/redis-server";
import { readVisible } from "./support/visible";
import { newAddress, Visitor } from "./support/visitor";
import { startReceiver, type WebhookReceiver } from "./support/webhook-receiver";
import { goodInput, type FormName } from "./validation";
import { words, type Screen, type ScreenWords } from "./words";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const code = "Cxyz123abc_";
const postLink = `https://www.instagram.com/p/${code}/`;
const dayMs = 86_400_000;

let redis: RedisServer;
let requester: ReturnType<typeof createTcpRequester>;
let receiver: WebhookReceiver;
let app: AppServer;
let browser: Browser;
/** Visitors at step 3: nothing ordered yet, an order accepted, and those of other posts. */
let verified: Visitor;
let ordered: Visitor;
let ordering: Visitor;
let ofReel: Visitor;
let ofLimitedPost: Visitor;
const windows: Window[] = [];
/** Those whose clock the test moves. */
const clocked: Window[] = [];

beforeAll(async () => {
  [redis, receiver] = await Promise.all([startRedis(), startReceiver({ secret })]);
  requester = createTcpRequester(redis.url);
  [app, browser] = await Promise.all([
    startApp({
      redisUrl: redis.url,
      env: {
        TRUSTED_IP_HEADER: "x-real-ip",
        BURST_LIMIT_SCALE: "1000",
        LIKE_DELIVERY: "webhook",
        LIKE_WEBHOOK_URL: receiver.url,
        LIKE_WEBHOOK_SECRET: secret,
        LIKE_DELIVERY_ACKNOWLEDGED: "yes",
      },
    }),
    launchBrowser(),
  ]);
  [verified, ordered, ordering, ofReel, ofLimitedPost] = await Promise.all([
    atStep3(postLink),
    atStep3(postLink),
    atStep3(postLink),
    atStep3(`https://www.instagram.com/reel/${code}/`),
    atStep3("https://www.instagram.com/p/NOIMAGE1234/"),
  ]);
  expect((await ordered.like()).status).toBe(200);
});
afterEach(async () => {
  receiver.respond("accept");
  await Promise.all([
    chargeLikes(0),
    ...windows.splice(0).map((window) => window.close()),
    ...clocked.splice(0).map((window) => window.context.close()),
  ]);
});
afterAll(async () => {
  requester?.close();
  await browser?.close();
  await app?.stop();
  await receiver?.stop();
  await redis?.stop();
});

async function atStep3(link: string): Promise<Visitor> {
  const visitor = new Visitor(app.url, { address: newAddress(), fingerprint: "fp" });
  const token = await visitor.solveCaptcha();
  await visitor.post("/api/recaptcha/verify", { token, url: link });
  await visitor.get(`/api/instagram/post-details?url=${encodeURIComponent(link)}`);
  await visitor.visit("/verification/");
  await visitor.visit("/get-likes/");
  return visitor;
}

/** Sets how many of the day's 100,000 likes are used; tomorrow's too, for a run at midnight GMT. */
async function chargeLikes(likes: number): Promise<void> {
  const today = Math.floor(Date.now() / dayMs);
  for (const day of [today, today + 1]) {
    await requester.request({ body: ["set", `{likes}:v2:budget:${day}`, likes, "px", dayMs] });
  }
}

interface Opening extends VisitOptions {
  /** Whose cookies the browser has. */
  as?: Visitor;
  /** What the steps before have stored in the tab. */
  stored?: { link?: string; postId?: string };
  /** With a clock that stops and goes on as the test says. */
  clock?: boolean;
  /** Before the page is asked for. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Opens a path in a new window, on a phone unless told otherwise. */
async function open(path: string, options: Opening = {}): Promise<Page> {
  const { as, stored, clock, prepare, ...visit } = options;
  const window = await newWindow(browser, visit);
  (clock ? clocked : windows).push(window);
  const { context, page } = window;
  if (clock) await page.clock.install();
  if (as) {
    await context.addCookies([...as.cookies].map(([name, value]) => ({ name, value, url: app.url })));
  }
  if (stored) {
    await page.goto(`${app.url}/robots.txt`);
    await page.evaluate((values) => {
      for (const [name, value] of Object.entries(values)) sessionStorage.setItem(`flow.${name}`, value);
    }, stored);
  }
  await prepare?.(page);
  await page.goto(app.url + path);
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name });
const press = async (page: Page, name: string) => (await button(page, name).click(), page);

/** A call that is not answered while the page is looked at. */
const holding = (path: string) => (page: Page) => page.route(`**${path}`, () => undefined);
/** A call that fails without a word. */
const failing = (path: string) => (page: Page) =>
  page.route(`**${path}`, (route) => route.fulfill({ status: 500, body: "" }));

/** The day's use is cached; a page with a route is not. */
const withoutCache = (page: Page) => page.route("**/api/instagram/daily-usage", (route) => route.continue());

/** Stops the page's clock, once it has started up: what waits for a timer can be looked at. */
async function stopClock(page: Page): Promise<Page> {
  await page.clock.pauseAt(Date.now() + 2_000);
  return page;
}

const home = (prepare?: Opening["prepare"]) => open("/", { prepare });
const verification = (options: Opening = {}) =>
  open("/verification/", { as: verified, stored: { link: postLink }, ...options });
const getLikes = (options: Opening = {}) =>
  open("/get-likes/", { as: verified, stored: { postId: code }, ...options });
const preview = (options: Opening = {}, id = code) =>
  open(`/preview/${id}?from=url-entry`, { as: verified, ...options });

async function charged(likes: number): Promise<Page> {
  await chargeLikes(likes);
  return home(withoutCache);
}

/** The home page's form, filled in. */
async function linkForm(prepare?: Opening["prepare"]): Promise<Page> {
  const page = await home(prepare);
  await fillInForm(page, goodInput.link);
  return page;
}

/** Step 3 when its bar has run for a share of its time. */
async function sending(percent: number): Promise<Page> {
  const page = await getLikes({
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
async function sent(before: (page: Page) => unknown = () => undefined): Promise<Page> {
  const page = await sending(95);
  await before(page);
  await page.clock.runFor(1_500);
  // The request itself waits for the browser to have time.
  await page.clock.resume();
  return page;
}

async function orderFromPreview(options: Opening = {}): Promise<Page> {
  return press(await preview(options), "Get 50 Free Likes");
}

const refusal = (message: string) => receiver.respond({ status: 422, body: { message } });

type MessageForm = Exclude<FormName, "link">;

const form = (name: MessageForm, prepare?: Opening["prepare"]) => open(formPages[name].path, { prepare });

async function touched(name: MessageForm, prepare: Opening["prepare"]): Promise<Page> {
  const page = await form(name, prepare);
  await page.getByRole("textbox", { name: "Name" }).focus();
  return page;
}

async function submitted(name: MessageForm, prepare?: Opening["prepare"]): Promise<Page> {
  const page = await form(name, prepare);
  await fillInForm(page, goodInput[name]);
  await passCaptcha(page);
  await pressSend(page, name);
  return page;
}

async function submittedUnchecked(name: MessageForm): Promise<Page> {
  const page = await form(name);
  await fillInForm(page, goodInput[name]);
  await pressSend(page, name);
  return page;
}

/** Chooses a part of the Help Center where its parts are tabs; without script they stand one under the other. */
async function faqPart(title: string): Promise<Page> {
  const page = await open("/faq");
  await chooseTab(page, title);
  return page;
}

async function chooseTab(page: Page, title: string): Promise<void> {
  const tab = page.getByRole("tab", { name: title });
  if (await tab.count()) await tab.click();
}

/** Opens one answer of a list. */
async function answer(page: Page, question: string): Promise<Page> {
  await page.locator("summary").getByText(question, { exact: true }).click();
  return page;
}

async function faqAnswer(question: string): Promise<Page> {
  const part = faqGroups.find(({ questions }) => questions.some((each) => each.question === question));
  return answer(await faqPart(part?.title ?? ""), question);
}

const desktop = { viewport: { width: 1280, height: 800 } };

/** How to come to each screen and state. A part of the page may stand for it. */
const screens: Record<Screen, () => Promise<Page | Locator>> = {
  header: async () => (await open("/faq", desktop)).getByRole("navigation", { name: "Main" }),
  "header: Support submenu": async () =>
    (await press(await open("/faq", desktop), "Support")).getByRole("navigation", { name: "Main" }),
  "header: mobile menu": async () =>
    (await press(await open("/faq"), "Menu")).getByRole("navigation", { name: "Menu" }),
  footer: async () => (await open("/faq")).getByRole("contentinfo"),

  home: () => home(),
  "home: more than 70 % used": () => charged(71_000),
  "home: more than 85 % used": () => charged(86_000),
  "home: more than 95 % used": () => charged(96_000),
  "home: limit reached": () => charged(100_000),
  "home: usage unknown": () => home(failing("/api/instagram/daily-usage")),
  "home: human check loading": async () => {
    const page = await home(holding("/api/recaptcha/sitekey"));
    await page.getByRole("textbox").focus();
    return page;
  },
  "home: human check failed": async () => {
    const page = await home(failing("/api/recaptcha/sitekey"));
    await page.getByRole("textbox").focus();
    return page;
  },
  "home: sent without the human check": async () => {
    const page = await linkForm();
    await pressSend(page, "link");
    return page.getByRole("dialog");
  },
  "home: human check rejected": async () => {
    const page = await linkForm((each) =>
      each.route("**/api/recaptcha/verify", (route) => {
        const body = route.request().postDataJSON() as object;
        return route.continue({ postData: JSON.stringify({ ...body, token: "forged" }) });
      }),
    );
    await passCaptcha(page);
    await pressSend(page, "link");
    return page.getByRole("dialog");
  },

  "verification: without step 1": () => open("/verification/"),
  "verification: verifying": () => verification({ prepare: holding("/api/instagram/post-details?*") }),
  "verification: error": () => verification({ stored: { link: "https://www.instagram.com/p/ERROR1/" } }),
  "verification: status unknown": () => verification({ prepare: failing("/api/instagram/status") }),
  "verification: verified": () => verification(),
  "verification: verified, a reel": () =>
    verification({ as: ofReel, stored: { link: `https://www.instagram.com/reel/${code}/` } }),
  "verification: continuing": async () => {
    const page = await verification({ clock: true });
    await button(page, "Continue to Get Likes").waitFor();
    return press(await stopClock(page), "Continue to Get Likes");
  },
  "verification: rate limited": () => verification({ as: ordered }),
  "private-account-error: without step 1": () => open("/private-account-error/"),
  "private-account-error": () => open("/private-account-error/", { as: verified }),

  "get-likes: without the steps before": () => open("/get-likes/"),
  "get-likes: loading": () => getLikes({ prepare: holding("/api/instagram/post-details?*") }),
  "get-likes: post not loaded": () => getLikes({ stored: { postId: "ERROR1" } }),
  "get-likes: no such post": () => getLikes({ stored: { postId: "MISSING1" } }),
  "get-likes: ready": () => getLikes(),
  "get-likes: sending, 0 %": () => sending(0),
  "get-likes: sending, 20 %": () => sending(20),
  "get-likes: sending, 40 %": () => sending(40),
  "get-likes: sending, 60 %": () => sending(60),
  "get-likes: sending, 80 %": () => sending(80),
  "get-likes: sending, 95 %": () => sending(95),
  "get-likes: refused": () => sent(() => refusal("The words of the delivery service.")),
  "get-likes: failed without words": () => sent(failing("/api/instagram/like")),
  "get-likes: daily limit reached": async () => {
    await chargeLikes(100_000);
    return getLikes({ prepare: withoutCache });
  },
  "get-likes: daily limit reached while sending": () => sent(() => chargeLikes(100_000)),

  "success: without the steps before": () => open("/success/"),
  "success: starting over": async () => {
    const page = await stopClock(await open("/success/", { clock: true }));
    await page.getByText("Start from Step 1").click();
    return page;
  },
  success: () => open("/success/", { as: ordered }),
  "success: going home": async () =>
    press(await stopClock(await open("/success/", { as: ordered, clock: true })), "Go to Home"),
  "success: boosting another post": async () =>
    press(await stopClock(await open("/success/", { as: ordered, clock: true })), "Boost Another Post"),

  "preview: loading": () => preview({ prepare: holding("/api/instagram/post-details?*") }),
  "preview: post not loaded": () => preview({ prepare: failing("/api/instagram/post-details?*") }),
  "preview: post": () => preview(),
  "preview: reel": () => preview({ as: ofReel }),
  "preview: limited": () => preview({ as: ofLimitedPost }, "NOIMAGE1234"),
  "preview: success": () => orderFromPreview({ as: ordering }),
  "preview: limit": () => orderFromPreview({ as: ordered }),
  "preview: status unknown": () => orderFromPreview({ prepare: failing("/api/instagram/status") }),
  "preview: refused": () => {
    refusal("The words of the delivery service.");
    return orderFromPreview();
  },
  "preview: failed without words": () => orderFromPreview({ prepare: failing("/api/instagram/like") }),
  "preview: refused as private": () => {
    refusal("The account is private.");
    return orderFromPreview();
  },
  "preview: broken by something else": async () => {
    const page = await preview();
    await button(page, "Get 50 Free Likes").waitFor();
    await page.evaluate("JSON.stringify = () => { throw 'not an Error'; }");
    return press(page, "Get 50 Free Likes");
  },

  contact: () => form("contact"),
  "contact: human check loading": () => touched("contact", holding("/api/recaptcha/sitekey")),
  "contact: human check failed": () => touched("contact", failing("/api/recaptcha/sitekey")),
  "contact: sent without the human check": () => submittedUnchecked("contact"),
  "contact: sending": () => submitted("contact", holding("/api/contact/submit")),
  "contact: failed": () => submitted("contact", failing("/api/contact/submit")),
  "contact: sent": () => submitted("contact"),
  feedback: () => form("feedback"),
  "feedback: human check loading": () => touched("feedback", holding("/api/recaptcha/sitekey")),
  "feedback: human check failed": () => touched("feedback", failing("/api/recaptcha/sitekey")),
  "feedback: sent without the human check": () => submittedUnchecked("feedback"),
  "feedback: sending": () => submitted("feedback", holding("/api/feedback/submit")),
  "feedback: failed": () => submitted("feedback", failing("/api/feedback/submit")),
  "feedback: sent": () => submitted("feedback"),
  "report-issue": () => form("issue"),
  "report-issue: Cooldown error": async () => answer(await form("issue"), "Cooldown error"),
  "report-issue: Private account error": async () => answer(await form("issue"), "Private account error"),
  "report-issue: URL format error": async () => answer(await form("issue"), "URL format error"),
  "report-issue: No likes appearing": async () => answer(await form("issue"), "No likes appearing"),
  "report-issue: human check loading": () => touched("issue", holding("/api/recaptcha/sitekey")),
  "report-issue: human check failed": () => touched("issue", failing("/api/recaptcha/sitekey")),
  "report-issue: sent without the human check": () => submittedUnchecked("issue"),
  "report-issue: sending": () => submitted("issue", holding("/api/issue/submit")),
  "report-issue: failed": () => submitted("issue", failing("/api/issue/submit")),
  "report-issue: sent": () => submitted("issue"),

  "how-it-works": () => open("/how-it-works"),
  testimonials: () => open("/testimonials"),
  faq: () => open("/faq"),
  "faq: About the Service": () => faqPart("About the Service"),
  "faq: Technical Questions": () => faqPart("Technical Questions"),
  "faq: How long does delivery take?": () => faqAnswer("How long does delivery take?"),
  "faq: Limits & Restrictions": () => faqPart("Limits & Restrictions"),
  "faq: How do you know that I have been here before?": () =>
    faqAnswer("How do you know that I have been here before?"),
  "faq: Safety & Privacy": () => faqPart("Safety & Privacy"),
  "faq: What data do you collect?": () => faqAnswer("What data do you collect?"),
  "faq: Which cookies do you set?": () => faqAnswer("Which cookies do you set?"),
  support: () => open("/support"),
  "support: How do I request likes?": async () => answer(await open("/support"), "How do I request likes?"),
  "support: Why do I see a cooldown message?": async () =>
    answer(await open("/support"), "Why do I see a cooldown message?"),
  "support: Why is my post marked as private?": async () =>
    answer(await open("/support"), "Why is my post marked as private?"),
  "support: I got a confirmation, but I see no likes. What now?": async () =>
    answer(await open("/support"), "I got a confirmation, but I see no likes. What now?"),

  "terms-of-service": () => open("/terms-of-service"),
  "privacy-policy": () => open("/privacy-policy"),
  disclaimer: () => open("/disclaimer"),

  "not found": () => open("/no-such-page"),
  // Data that cannot be drawn, which the server never sends.
  "broken page": () =>
    preview({
      prepare: (page) =>
        page.route("**/api/instagram/post-details?*", (route) =>
          route.fulfill({ json: { success: true, postId: code, type: "post", username: {} } }),
        ),
    }),
};

it.each(Object.keys(words) as Screen[])("%s", async (name) => {
  const place = await screens[name]();
  const [page, root] = "goto" in place ? [place, place.locator("body")] : [place.page(), place];
  let missing: string[] = [];
  for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((wait) => setTimeout(wait, 50))) {
    missing = await findMissing(words[name], page, root);
    if (missing.length === 0) break;
  }
  expect(missing).toEqual([]);
});

/** The words that are not where they should be, each with what it should be. */
async function findMissing(expected: ScreenWords, page: Page, root: Locator): Promise<string[]> {
  const { title = "", says = [], icons = [], links = {}, choices = {} } = expected;
  if ((await root.count()) === 0) return ["the screen itself"];
  const { text, links: shown } = await readVisible(root);
  const missing = says.filter((string) => !text.includes(string)).map((string) => `says: ${string}`);
  if (!(await page.title()).includes(title)) missing.push(`title: ${title}`);
  for (const [label, href] of Object.entries(links)) {
    if (!shown.some((link) => link[0] === label && link[1] === href))
      missing.push(`link: ${label} to ${href}`);
  }
  for (const icon of icons) {
    const found = root.getByRole("button", { name: icon, exact: true, disabled: true });
    if (!(await found.first().isVisible())) missing.push(`icon: ${icon}`);
  }
  for (const [field, options] of Object.entries(choices)) {
    const offered = await readChoices(root, field);
    if (JSON.stringify(offered) !== JSON.stringify(options)) {
      missing.push(`choices of ${field}: ${JSON.stringify(options)} instead of ${JSON.stringify(offered)}`);
    }
  }
  return missing;
}

/** Value -> words of a list or of radio buttons. */
function readChoices(root: Locator, field: string): Promise<Record<string, string>> {
  return root
    .locator(`select[name="${field}"] option, input[name="${field}"]`)
    .evaluateAll((elements) =>
      Object.fromEntries(
        (elements as (HTMLOptionElement | HTMLInputElement)[])
          .filter(({ value }) => value !== "")
          .map((element) => [element.value, (element.closest("label") ?? element).textContent ?? ""]),
      ),
    );
}

it("shows each of the 20 questions in its part of the Help Center", async () => {
  const page = await open("/faq");
  const parts = faqGroups.map(({ title, questions }) => [title, questions.length]);
  expect(parts).toEqual([
    ["About the Service", 5],
    ["Technical Questions", 5],
    ["Limits & Restrictions", 5],
    ["Safety & Privacy", 5],
  ]);
  for (const { title, questions } of faqGroups) {
    await chooseTab(page, title);
    for (const { question, answer: paragraphs } of questions) {
      await answer(page, question);
      await page.getByText(paragraphs[0] ?? "", { exact: true }).waitFor();
    }
  }
});
