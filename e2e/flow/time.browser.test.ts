import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, useServers, type Open } from "@/testing/test";
import type { Page } from "@playwright/test";
import type { OpenedPage } from "@/testing/browser/open-page";
import { passCaptcha, pasteLink } from "@/testing/browser/flow-pages";
import { postLink } from "@/testing/sample-posts";
import { until } from "@/testing/until";
import { returningVisitor, visitorAtStep3 } from "@/testing/visitor";

/* lib/client/hooks/use-countdown.test.tsx covers sleeping devices and the back/forward cache. */

const hourMs = 3_600_000;

const servers = useServers();

interface Countdown extends OpenedPage {
  /** End of the cooldown, in milliseconds. */
  deadline: number;
}

/** Opens the countdown of step 2, or of home, for a visitor whose order was just accepted. */
async function openCountdown(
  open: Open,
  url = `${servers.app.url}/verification/`,
  prepare?: (page: Page, nextAvailable: string) => Promise<unknown>,
): Promise<Countdown> {
  const visitor = await returningVisitor(new URL(url).origin);
  const { nextAvailable } = (await visitor.get("/api/instagram/status")).body as { nextAvailable: string };
  const opened = await open(url, { as: visitor, prepare: (page) => prepare?.(page, nextAvailable) });
  await opened.page.getByRole("timer").waitFor();
  return { ...opened, deadline: Date.parse(nextAvailable) };
}

/** Returns the seconds that the countdown shows. */
async function shownSeconds(page: Page): Promise<number> {
  const [hours = 0, minutes = 0, seconds = 0] = (await page.getByRole("timer").innerText())
    .split(":")
    .map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

/**
 * Expects the time left by the clock of this machine, which is the server's clock. Repeats, because ticks can be late. Home takes
 * the time from a header with whole seconds, and the response can take a second on a busy machine.
 */
async function expectCorrect({ page, deadline }: Countdown): Promise<void> {
  const secondsLeft = () => (deadline - Date.now()) / 1_000;
  await until(
    "the countdown is correct to two and a half seconds",
    async () => {
      const before = secondsLeft();
      const shown = await shownSeconds(page);
      return shown >= secondsLeft() - 2.5 && shown <= before + 2.5;
    },
    5_000,
  );
}

test("uses the server's clock when the visitor's clock is hours wrong, and when it changes", async ({
  open,
}) => {
  const countdown = await openCountdown(open, undefined, (page) =>
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

test("is correct after the browser has frozen the tab", async ({ open }) => {
  const countdown = await openCountdown(open);
  const session = await countdown.page.context().newCDPSession(countdown.page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  await sleep(4_000);
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await sleep(1_200);
  await expectCorrect(countdown);
});

test("lets the visitor continue when the countdown ends", async ({ open }) => {
  const short = await servers.start({ database: 2, env: { TEST_COOLDOWN_SECONDS: "6" } });
  const { page } = await openCountdown(open, `${short.url}/verification/`);
  await expect(page.getByRole("link", { name: "Continue to Get Likes" })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("timer")).toHaveCount(0);
});

for (const hours of [24, -24])
  test(`with a clock that is ${hours} hours ahead, home counts down, and the captcha lasts 20 minutes`, async ({
    open,
  }) => {
    const states: string[] = [];
    const countdown = await openCountdown(open, `${servers.app.url}/`, async (page, nextAvailable) => {
      await page.clock.install({ time: Date.now() + hours * hourMs });
      const order = JSON.stringify({ nextAvailable, dailyLimit: null, storedAt: 0 });
      await page.addInitScript((value) => localStorage.setItem("last-order", value), order);
      await page.addInitScript('addEventListener("statechange", (e) => console.log(e.detail.state), true)');
      page.on("console", (message) => states.push(message.text()));
    });
    await expectCorrect(countdown);
    const { page } = countdown;
    await pasteLink(page, postLink);
    await passCaptcha(page);
    await page.clock.fastForward(19 * 60_000);
    expect(states).toEqual(["verifying", "verified"]);
    await page.clock.fastForward(60_000);
    await expect.poll(() => states).toEqual(["verifying", "verified", "expired"]);
  });

/** The last zone is the one that Firefox reports when it hides the visitor's zone. */
for (const timezoneId of ["Asia/Tokyo", "UTC", "Atlantic/Reykjavik"])
  test(`names GMT and the remaining time only if the browser's zone is GMT: ${timezoneId}`, async ({
    open,
  }) => {
    const visitor = await visitorAtStep3(servers.app.url);
    await visitor.like();
    const { page } = await open(`${servers.app.url}/success/`, { as: visitor, timezoneId });
    await page.getByText("Order reference").waitFor();
    for (const time of await page.locator("time").all()) {
      const isFuture = Date.parse((await time.getAttribute("datetime")) ?? "") > Date.now();
      const inGmt = isFuture ? / GMT \(in \d+ (?:hours|minutes).*\)$/ : / GMT$/;
      await expect(time).toHaveText(timezoneId === "Asia/Tokyo" ? /\d\d:\d\d$/ : inGmt);
    }
  });
