import { readFile } from "node:fs/promises";
import type { Receipt } from "@/lib/schemas/api-responses";
import { describeMoment } from "@/lib/time/local-time";
import { expect, test, useServers } from "@/testing/test";
import { returningVisitor, visitorAtStep3 } from "@/testing/visitor";

/* The colours of the picture of fifty dots, and the times beside it. Component tests check the dots of each state. */

const servers = useServers();

/** For half of the day, the date in this time zone differs from the date in Greenwich. */
const timeZone = "Pacific/Auckland";

test("the receipt shows the next events in local time", async ({ open }) => {
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
  const { page } = await open(servers.app.url);
  const colours = () =>
    page.locator("[data-dots]").evaluate((svg) => {
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
  expect(await colours()).toMatchObject({ used: expect.stringMatching(/^color\(srgb 0\.5/), seen: true });
});
