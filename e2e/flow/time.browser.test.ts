import { expect, test, useServers } from "../support/test";
import type { Browser, Page } from "@playwright/test";
import type { LikeReply, StatusReply } from "@/lib/http/api-responses";
import { startFlow } from "../support/browser/flow-pages";
import { postLink } from "../support/sample-posts";
import { until } from "../support/until";

const hourMs = 3_600_000;

const servers = useServers();

/** Orders from the preview page, which has no simulated progress, and returns when the cooldown ends. */
async function order(page: Page): Promise<number> {
  await page.getByRole("link", { name: "Preview this post" }).click();
  const answer = page.waitForResponse("**/api/instagram/like");
  await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
  const reply = (await (await answer).json()) as LikeReply;
  return Date.parse(reply.order.nextAvailable);
}

/** A visitor with a running cooldown, on the screen that counts it down. */
async function waitingVisitor(page: Page): Promise<number> {
  await startFlow(page, servers.app.url, postLink);
  const deadline = await order(page);
  await page.getByText("Order reference").waitFor();
  await startFlow(page, servers.app.url, postLink);
  await page.getByRole("timer").waitFor();
  return deadline;
}

/** What the countdown shows, in seconds. */
async function shownSeconds(page: Page): Promise<number> {
  const [hours = 0, minutes = 0, seconds = 0] = (await page.getByRole("timer").innerText())
    .split(":")
    .map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

/** The test runs on the server's machine: its clock is the server's. A tick that a busy machine delayed makes way for the next. */
async function expectRight(page: Page, deadline: number): Promise<void> {
  await until(
    "the countdown is right to a second and a half",
    async () => {
      const before = (deadline - Date.now()) / 1_000;
      const shown = await shownSeconds(page);
      const after = (deadline - Date.now()) / 1_000;
      return shown >= after - 1.5 && shown <= before + 1.5;
    },
    5_000,
  );
}

/** Process ids of this browser's renderers: other browsers of the machine are none of our business. */
async function renderers(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
}

test("counts by the server's clock when the visitor's is hours off, and when it is changed meanwhile", async ({
  open,
}) => {
  const { page } = await open();
  await page.addInitScript((fiveHours) => {
    const RealDate = Date;
    const shift = () => (window as unknown as { clockShift?: number }).clockShift ?? fiveHours;
    window.Date = new Proxy(RealDate, {
      construct: (target, args: [number]) =>
        args.length > 0 ? Reflect.construct(target, args) : new target(RealDate.now() + shift()),
      get: (target, name, receiver) =>
        name === "now" ? () => RealDate.now() + shift() : (Reflect.get(target, name, receiver) as unknown),
    });
  }, 5 * hourMs);
  const deadline = await waitingVisitor(page);
  await expectRight(page, deadline);
  await page.evaluate((shift) => Object.assign(window, { clockShift: shift }), -7 * hourMs);
  await page.waitForTimeout(2_500);
  await expectRight(page, deadline);
});

test("is right at once after the page stood still, as a sleeping or throttled tab does", async ({
  browser,
  open,
}) => {
  const { page } = await open();
  const deadline = await waitingVisitor(page);
  const stopped = await renderers(browser);
  expect(stopped.length).toBeGreaterThan(0);
  for (const id of stopped) process.kill(id, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  for (const id of stopped) process.kill(id, "SIGCONT");
  await page.waitForTimeout(1_200);
  await expectRight(page, deadline);
});

test("is right after the browser froze a background tab", async ({ open }) => {
  const { context, page } = await open();
  const deadline = await waitingVisitor(page);
  const session = await context.newCDPSession(page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await page.waitForTimeout(1_200);
  await expectRight(page, deadline);
});

test("asks the server again when only one of the browser's clocks went on, as in sleep on some devices", async ({
  open,
}) => {
  const { page } = await open();
  await waitingVisitor(page);
  const slept = 600_000;
  // The server after ten minutes of sleep: the same deadline, a later clock.
  await page.route("**/api/instagram/status", async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as StatusReply;
    const serverTime = new Date(Date.parse(status.serverTime) + slept).toISOString();
    await route.fulfill({ response, json: { ...status, serverTime } });
  });
  const before = await shownSeconds(page);
  // performance.now() stood still while the wall clock went on.
  await page.evaluate((milliseconds) => {
    const realNow = Date.now.bind(Date);
    Date.now = () => realNow() + milliseconds;
  }, slept);
  await page.waitForResponse("**/api/instagram/status");
  await page.waitForTimeout(1_500);
  const passed = before - (await shownSeconds(page));
  expect(passed).toBeGreaterThanOrEqual(slept / 1_000);
  expect(passed).toBeLessThan(slept / 1_000 + 15);
});

test("asks the server again when the page comes back from the browser's memory, and after Back", async ({
  open,
}) => {
  const { page } = await open();
  const deadline = await waitingVisitor(page);
  const asked = page.waitForRequest("**/api/instagram/status");
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await asked;
  await expectRight(page, deadline);
  await page.goto(`${servers.app.url}/no-such-page`);
  await page.goBack();
  await page.getByRole("timer").waitFor();
  await expectRight(page, deadline);
});

test("asks again when the countdown ends, and lets the visitor continue", async ({ open }) => {
  const short = await servers.start({ database: 2, env: { COOLDOWN_SECONDS: "15" } });
  const { page } = await open();
  await startFlow(page, short.url, postLink);
  await order(page);
  await page.getByText("Order reference").waitFor();
  await startFlow(page, short.url, postLink);
  await page.getByRole("timer").waitFor();
  await page.getByRole("button", { name: "Continue to Get Likes" }).waitFor();
  expect(await page.getByRole("timer").count()).toBe(0);
});
