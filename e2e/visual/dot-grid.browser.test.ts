import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import type { Receipt, StatusReply } from "@/lib/http/api-responses";
import { timing } from "@/lib/config/limits";
import { describeMoment } from "@/lib/time/local-time";
import { expect, test, useServers } from "@/testing/test";
import { pages } from "@/lib/http/pages";
import { postCode } from "@/testing/sample-posts";
import { skipProgress } from "@/testing/browser/flow-pages";
import { visitorAtStep3 } from "@/testing/visitor";
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

const post = { postId: postCode, type: "post" } as const;

for (const { name, isLive, delivery, status, caption, shape, leaves } of [
  {
    name: "an accepted request on a live site",
    isLive: true,
    delivery: "accept",
    status: 200,
    caption: "50 requested and accepted",
    shape: "filled",
    leaves: true,
  },
  {
    name: "an accepted request on a demo site",
    isLive: false,
    delivery: "accept",
    status: 200,
    caption: "50 requested, none sent",
    shape: "rings",
    leaves: true,
  },
  {
    name: "a refused request",
    isLive: true,
    delivery: { status: 422, body: { message: "Not this post." } },
    status: 422,
    caption: "Refused, nothing counted",
    shape: "open",
    leaves: false,
  },
  {
    name: "a request without a result",
    isLive: true,
    delivery: "error",
    status: 503,
    caption: "50 requested, not confirmed yet",
    shape: "rings",
    leaves: false,
  },
] as const)
  test(`the dots are open before, rings during, and ${shape} after ${name}`, async ({ open }) => {
    const { url } = isLive ? servers.live : servers.app;
    servers.receiver.respond(delivery);
    const { page } = await open(`${url}/get-likes/`, {
      as: await newVisitorInFlow(url, post, { visited: [pages.verification.path] }),
      clock: true,
    });
    const send = page.getByRole("button", { name: "Send 50 Free Likes" });
    await send.waitFor();
    await expectDots(page, "Nothing requested", "open");
    let resume = () => {};
    const held = new Promise<void>((resolve) => (resume = resolve));
    await page.route("**/api/instagram/like", async (route) => {
      await held;
      await route.continue();
    });
    await send.click();
    await page.clock.runFor(5_000);
    await expectDots(page, "Nothing requested", "open");
    const response = page.waitForResponse("**/api/instagram/like");
    await skipProgress(page);
    await expectDots(page, "50 requested, not confirmed yet", "rings");
    resume();
    expect((await response).status()).toBe(status);
    await expectDots(page, caption, shape);
    if (!leaves) return;
    await page.clock.runFor(timing.acceptedMs);
    await page.waitForURL(/\/success\/$/);
    await expectDots(page, caption, shape);
  });

const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? NaN;

test("the receipt shows the demo note, the next events in local time, then the receipt, and 50 rings", async ({
  open,
}) => {
  const visitor = await visitorAtStep3(servers.app.url);
  const receipt = (await visitor.like()).body.order as Receipt;
  const { page } = await open(`${servers.app.url}/success/`, {
    as: visitor,
    timezoneId: timeZone,
    viewport: { width: 360, height: 640 },
  });
  const [acceptedAt, nextAvailable] = [Date.parse(receipt.acceptedAt), Date.parse(receipt.nextAvailable)];
  const time = (at: number) => describeMoment(at, "time", at, timeZone);
  const day = describeMoment(nextAvailable, "day", Date.now(), timeZone);

  const next = page.getByRole("region", { name: "What would happen on a live site" });
  await expect(next.getByRole("listitem")).toHaveText([
    `Accepted ${time(acceptedAt)}Likes begin to appear within a few minutes.`,
    `About ${time(acceptedAt + 30 * 60_000)}The full 50 may take up to 30 minutes.`,
    `From ${day}You can boost another post after 4 hours.`,
  ]);
  const tops = [
    await topOf(page.getByText("Demo mode: nothing was sent.")),
    await topOf(page.getByRole("heading", { level: 1 })),
    await topOf(page.getByRole("region", { name: "Your receipt" })),
    await topOf(next),
  ];
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await expect(page.getByText("50 requested, none sent")).toBeVisible();
  await expectDots(page, "50 requested, none sent", "rings");
});

test("after half of the cooldown, step 2 shows half a bar, the end in local time and a calendar entry", async ({
  open,
}) => {
  const visitor = await visitorAtStep3(servers.app.url);
  const nextAvailable = new Date(Date.now() + 2 * 3_600_000).toISOString();
  const { page } = await open(`${servers.app.url}/verification/`, {
    as: visitor,
    timezoneId: timeZone,
    prepare: (page) =>
      page.route("**/api/instagram/status", async (route) => {
        const status = (await (await route.fetch()).json()) as StatusReply;
        const waiting = { canRequest: false, nextAvailable, reason: "cooldown" } as const;
        await route.fulfill({ json: { ...status, ...waiting } satisfies StatusReply });
      }),
  });
  await page.getByRole("timer").waitFor();
  const bar = page.getByRole("main").getByRole("progressbar");
  expect(await bar.evaluate((element: HTMLProgressElement) => element.value)).toBeCloseTo(50, 0);
  await expect(picture(page)).toHaveCount(0);
  const end = describeMoment(Date.parse(nextAvailable), "day", Date.now(), timeZone);
  await expect(page.getByText(`until ${end}`)).toHaveCount(1);

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Add to calendar" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("free-likes.ics");
  const text = await readFile(await file.path(), "utf8");
  const start = new Date(Math.ceil(Date.parse(nextAvailable) / 1_000) * 1_000).toISOString();
  expect(text).toContain(`\r\nDTSTART:${start.replaceAll(/[-:]|\.000/g, "")}\r\n`);
  expect(text).toContain(`\r\nURL:${servers.app.url}/\r\n`);
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
