import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, useServers, type Open } from "../support/test";
import type { Browser, Page } from "@playwright/test";
import type { StatusReply } from "@/lib/http/api-responses";
import type { OpenedPage, OpenOptions } from "../support/browser/open-page";
import { until } from "../support/until";
import { newVisitorInFlow } from "../support/visitor-in-flow";

const hourMs = 3_600_000;
const statusPath = "**/api/instagram/status";

const servers = useServers();

interface Countdown extends OpenedPage {
  /** End of the cooldown, in milliseconds. */
  deadline: number;
}

/** Opens the countdown of a visitor whose order was just accepted. */
async function openCountdown(
  open: Open,
  url = servers.app.url,
  prepare?: OpenOptions["prepare"],
): Promise<Countdown> {
  const visitor = await newVisitorInFlow(url);
  const { order } = (await visitor.like()).body as { order: { nextAvailable: string } };
  const newFlow = await newVisitorInFlow(url);
  visitor.cookies.set("flow", newFlow.cookies.get("flow") ?? "");
  const opened = await open(`${url}/verification/`, { as: visitor, prepare });
  await opened.page.getByRole("timer").waitFor();
  return { ...opened, deadline: Date.parse(order.nextAvailable) };
}

/** Returns the seconds that the countdown shows. */
async function shownSeconds(page: Page): Promise<number> {
  const [hours = 0, minutes = 0, seconds = 0] = (await page.getByRole("timer").innerText())
    .split(":")
    .map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

/** Expects the time left by the clock of this machine, which is the server's clock. Repeats, because ticks can be late. */
async function expectCorrect({ page, deadline }: Countdown): Promise<void> {
  const secondsLeft = () => (deadline - Date.now()) / 1_000;
  await until(
    "the countdown is correct to a second and a half",
    async () => {
      const before = secondsLeft();
      const shown = await shownSeconds(page);
      return shown >= secondsLeft() - 1.5 && shown <= before + 1.5;
    },
    5_000,
  );
}

test("uses the server's clock when the visitor's clock is hours wrong, and when it changes", async ({
  open,
}) => {
  const countdown = await openCountdown(open, servers.app.url, (page) =>
    page.addInitScript((fiveHours) => {
      const RealDate = Date;
      const shift = () => (window as unknown as { clockShift?: number }).clockShift ?? fiveHours;
      window.Date = new Proxy(RealDate, {
        construct: (target, args: [number]) =>
          args.length > 0 ? Reflect.construct(target, args) : new target(RealDate.now() + shift()),
        get: (target, name, receiver) =>
          name === "now" ? () => RealDate.now() + shift() : (Reflect.get(target, name, receiver) as unknown),
      });
    }, 5 * hourMs),
  );
  await expectCorrect(countdown);
  await countdown.page.evaluate((shift) => Object.assign(window, { clockShift: shift }), -7 * hourMs);
  await sleep(2_500);
  await expectCorrect(countdown);
});

/** Stops the processes of the browser's pages, like a sleeping device. Returns a function that continues them. */
async function stopProcesses(browser: Browser): Promise<() => void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const ids = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) process.kill(id, "SIGSTOP");
  return () => ids.forEach((id) => process.kill(id, "SIGCONT"));
}

/** Freezes the page, like a background tab. Returns a function that continues it. */
async function freeze(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  return () => session.send("Page.setWebLifecycleState", { state: "active" });
}

for (const [title, stop] of [
  ["the page's process has slept", ({ browser }: { browser: Browser }) => stopProcesses(browser)],
  ["the browser has frozen the tab", ({ page }: { page: Page }) => freeze(page)],
] as const)
  test(`is correct after ${title}`, async ({ browser, open }) => {
    const countdown = await openCountdown(open);
    const resume = await stop({ browser, page: countdown.page });
    await sleep(4_000);
    await resume();
    await sleep(1_200);
    await expectCorrect(countdown);
  });

test("requests the status when only the wall clock has advanced, as during sleep on some devices", async ({
  open,
}) => {
  const { page } = await openCountdown(open);
  const sleptMs = 600_000;
  // The server's clock has advanced by ten minutes, and the deadline is the same.
  await page.route(statusPath, async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as StatusReply;
    const serverTime = new Date(Date.parse(status.serverTime) + sleptMs).toISOString();
    await route.fulfill({ response, json: { ...status, serverTime } });
  });
  const before = await shownSeconds(page);
  const response = page.waitForResponse(statusPath);
  await page.evaluate((milliseconds) => {
    const realNow = Date.now.bind(Date);
    Date.now = () => realNow() + milliseconds;
  }, sleptMs);
  await response;
  await sleep(1_500);
  const passed = before - (await shownSeconds(page));
  expect(passed).toBeGreaterThanOrEqual(sleptMs / 1_000);
  expect(passed).toBeLessThan(sleptMs / 1_000 + 15);
});

test("requests the status when the browser restores the page, and is correct after Back", async ({
  open,
}) => {
  const countdown = await openCountdown(open);
  const { page } = countdown;
  const request = page.waitForRequest(statusPath);
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await request;
  await expectCorrect(countdown);
  await page.goto(`${servers.app.url}/no-such-page`);
  await page.goBack();
  await page.getByRole("timer").waitFor();
  await expectCorrect(countdown);
});

test("lets the visitor continue when the countdown ends", async ({ open }) => {
  const short = await servers.start({ database: 2, env: { TEST_COOLDOWN_SECONDS: "6" } });
  const { page } = await openCountdown(open, short.url);
  await expect(page.getByRole("button", { name: "Continue to Get Likes" })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("timer")).toHaveCount(0);
});
