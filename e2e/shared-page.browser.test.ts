import type { Page } from "@playwright/test";
import { expect, test, useServers } from "@/testing/test";

/* testing/browser/shared-page.ts: a test finds nothing of the test before. */

test.describe.configure({ mode: "serial" });

const servers = useServers();

const read = (page: Page, now = Date.now()) =>
  page.evaluate(async (now) => {
    // A clock that stands still ends the test.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { state } = await navigator.permissions.query({ name: "geolocation" });
    const fields = Array.from(document.querySelectorAll("input"), ({ value }) => value);
    const stored = [document.cookie, { ...localStorage }, { ...sessionStorage }, fields];
    const isNow = Math.abs(Date.now() - now) < 60_000;
    return [stored, state, navigator.onLine, history.length, "mark" in window, isNow];
  }, now);

for (const clock of [false, true]) {
  let fresh: unknown;
  for (const name of ["the first", "the second"])
    test(`${name} of two tests, clock ${clock}`, async ({ open }) => {
      const { page, context } = await open(`${servers.app.url}/contact`, clock ? { clock } : {});
      fresh ??= await read(page);
      expect([await read(page), context.pages().length]).toEqual([fresh, 1]);
      await page.goto(`${servers.app.url}/faq`);
      await page.goBack();
      await page.addInitScript(() => Object.assign(window, { mark: 1 }));
      await page.route("**/contact", (route) => route.abort());
      await page.evaluate(() => (localStorage.a = sessionStorage.a = document.cookie = "a=1"));
      if (clock) await page.clock.pauseAt(Date.now() + 5_000);
      await context.grantPermissions(["geolocation"]);
      await context.newPage();
      await context.setOffline(true);
      await page.getByRole("textbox", { name: "Name" }).fill("Ada Lovelace");
    });
}
