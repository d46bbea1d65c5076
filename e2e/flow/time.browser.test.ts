import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, useServers, type Open } from "../support/test";
import type { Page } from "@playwright/test";
import type { OpenedPage, OpenOptions } from "../support/browser/open-page";
import { until } from "../support/until";
import { giveFlow, newVisitorInFlow } from "../support/visitor-in-flow";

/* lib/client/hooks/use-countdown.test.tsx covers sleeping devices and the back/forward cache. */

const hourMs = 3_600_000;

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
  await giveFlow(visitor);
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
  const { page } = await openCountdown(open, short.url);
  await expect(page.getByRole("button", { name: "Continue to Get Likes" })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("timer")).toHaveCount(0);
});
