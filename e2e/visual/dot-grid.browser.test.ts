import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import type { Receipt } from "@/lib/schemas/api-responses";
import { timing } from "@/lib/config/limits";
import { describeMoment } from "@/lib/time/local-time";
import { expect, test, useServers } from "@/testing/test";
import { pages } from "@/lib/http/pages";
import { postCode } from "@/testing/sample-posts";
import { skipProgress } from "@/testing/browser/flow-pages";
import { returningVisitor, visitorAtStep3 } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/* The picture of fifty dots, and the times beside it. */

const servers = useServers({}, async (servers) => {
  const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox" };
  const [app, live] = await Promise.all([
    servers.start(),
    servers.start({ build: "live", live: true, database: 1, env }),
  ]);
  return { app, live };
});

/** For half of the day, the date in this time zone differs from the date in Greenwich. */
const timeZone = "Pacific/Auckland";

const picture = (page: Page) => page.locator("[data-dots]");

/** Expects fifty dots of a shape, with the caption as accessible name. Open dots are hidden from screen readers. */
async function expectDots(page: Page, caption: string, shape: keyof Shapes): Promise<void> {
  await expect(page.getByRole("img", { name: caption })).toHaveCount(shape === "open" ? 0 : 1);
  const expected = { open: 0, rings: 0, filled: 0, [shape]: 50 };
  // Reading throws while the page leads to the receipt, which shows the same dots.
  await expect(async () => expect(await painted(picture(page))).toEqual(expected)).toPass({
    timeout: 15_000,
  });
}

interface Shapes {
  open: number;
  rings: number;
  filled: number;
}

/** Counts the dots that the browser paints, by their shape. */
function painted(dots: Locator): Promise<Shapes> {
  return dots.evaluate((svg) => {
    const [dots, holes] = [...svg.querySelectorAll("path")];
    const isPainted = (x: number, y: number) =>
      dots?.isPointInStroke({ x, y }) === true && holes?.isPointInStroke({ x, y }) !== true;
    const counts = { open: 0, rings: 0, filled: 0 };
    for (let x = 4; x < 80; x += 8) {
      for (let y = 4; y < 40; y += 8) {
        const [centre, edge] = [isPainted(x, y), isPainted(x + 2.4, y)];
        if (centre && edge) counts.filled += 1;
        else if (centre) counts.open += 1;
        else if (edge) counts.rings += 1;
      }
    }
    return counts;
  });
}

test("the dots are open before an accepted request on a live site, rings during it, and filled after it", async ({
  open,
}) => {
  const { url } = servers.live;
  const post = { postId: postCode, type: "post" } as const;
  const { page } = await open(`${url}/get-likes/`, {
    as: await newVisitorInFlow(url, post, { visited: [pages.verification.path] }),
    clock: true,
  });
  let resume = () => {};
  const held = new Promise<void>((resolve) => (resume = resolve));
  await page.route("**/api/instagram/like", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "Send 50 Free Likes" }).click();
  await page.clock.runFor(5_000);
  await expectDots(page, "Nothing requested", "open");
  await skipProgress(page);
  await expectDots(page, "50 requested, not confirmed yet", "rings");
  resume();
  await expectDots(page, "50 requested and accepted", "filled");
  await page.clock.runFor(timing.acceptedMs);
  await page.waitForURL(/\/success\/$/);
  await expectDots(page, "50 requested and accepted", "filled");
});

test("the receipt shows the next events in local time, and 50 rings on a demo site", async ({ open }) => {
  const visitor = await visitorAtStep3(servers.app.url);
  const receipt = (await visitor.like()).body.order as Receipt;
  const { page } = await open(`${servers.app.url}/success/`, { as: visitor, timezoneId: timeZone });
  const [acceptedAt, nextAvailable] = [Date.parse(receipt.acceptedAt), Date.parse(receipt.nextAvailable)];
  const time = (at: number) => describeMoment(at, "time", at, timeZone);
  const day = describeMoment(nextAvailable, "day", Date.now(), timeZone);

  const next = page.getByRole("region", { name: "What would happen on a live site" });
  await expect(next.getByRole("listitem")).toHaveText([
    `Accepted ${time(acceptedAt)}Likes begin to appear within a few minutes.`,
    `About ${time(acceptedAt + 30 * 60_000)}The full 50 may take up to 30 minutes.`,
    `From ${day}You can boost another post after 4 hours.`,
  ]);
  await expectDots(page, "50 requested, none sent", "rings");
});

test("during the cooldown, step 2 shows its end in local time, and saves it as a calendar entry", async ({
  open,
}) => {
  const visitor = await returningVisitor(servers.app.url);
  const { page } = await open(`${servers.app.url}/verification/`, {
    as: visitor,
    address: visitor.options.address,
    timezoneId: timeZone,
  });
  const { nextAvailable } = (await visitor.get("/api/instagram/status")).body as { nextAvailable: string };
  const end = describeMoment(Date.parse(nextAvailable), "day", Date.now(), timeZone);
  await expect(page.getByText(`until ${end}`)).toHaveCount(1);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Add to calendar" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("free-likes.ics");
  // lib/time/calendar-file.test.ts tests the content.
  expect(await readFile(await file.path(), "utf8")).toContain(`\r\nURL:${servers.app.url}/\r\n`);
});

test("the picture uses forced colours, and prints in the light colours", async ({ open }) => {
  const { page } = await open(`${servers.app.url}/verification/`);
  const colours = () =>
    picture(page).evaluate((svg) => {
      const path = svg.querySelector("path");
      const open = path && getComputedStyle(path);
      const reference = document.body.appendChild(document.createElement("p"));
      const colourOf = (name: string) => ((reference.style.color = name), getComputedStyle(reference).color);
      const system = colourOf("GrayText");
      reference.remove();
      return { used: open?.stroke, system, seen: svg.checkVisibility() };
    });
  await page.emulateMedia({ forcedColors: "active" });
  const forced = await colours();
  expect(forced.used).toEqual(forced.system);
  await page.emulateMedia({ forcedColors: "none", colorScheme: "dark", media: "print" });
  expect(await colours()).toMatchObject({ used: "rgb(140, 130, 120)", seen: true });
});
