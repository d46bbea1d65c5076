import { expect, test, useServers } from "../support/test";
import { captchaOf, pasteLink, reachReceipt } from "../support/browser/flow-pages";
import { turnOff } from "../support/browser/turn-off";
import { missingFor, openEngine } from "../support/engines/engines";
import { passCaptcha, startFlow } from "../support/engines/flow-steps";
import { postLink } from "../support/sample-posts";

/* In each row, interfaces are missing or throw. The visitor reaches the receipt, or reads what is missing and what to do. */

const servers = useServers();

/** Interfaces by their paths from `window`, and their faults. There is a test for each fault. */
const table = [
  ["localStorage sessionStorage", "is null"],
  ["localStorage sessionStorage indexedDB document.cookie", "throws when read"],
  ["Storage.prototype.setItem", "throws when used"],
  ["BroadcastChannel", "is undefined", "throws when used"],
  ["navigator.clipboard", "is undefined", "throws when read"],
  ["navigator.clipboard.writeText navigator.clipboard.readText", "throws when used"],
  ["navigator.permissions", "is undefined"],
  ["navigator.permissions.query", "throws when used"],
  ["navigator.onLine", "is false"],
  ["matchMedia", "is undefined"],
  ["history.replaceState", "throws when used"],
  ["crypto.randomUUID", "is undefined"],
  ["crypto.subtle", "is undefined"],
  ["Worker", "is undefined", "throws when used"],
  ["AbortSignal.timeout AbortSignal.any", "is undefined"],
  ["Intl.DateTimeFormat.prototype.resolvedOptions", "throws when used"],
  // The flow uses none of these.
  ["Notification navigator.share document.startViewTransition navigator.locks", "is undefined"],
  ["IntersectionObserver ResizeObserver requestIdleCallback", "is undefined"],
  ["CSS.supports structuredClone Array.prototype.at Temporal", "is undefined"],
];

for (const [interfaces = "", ...faults] of table)
  for (const fault of faults)
    test(`${interfaces} ${fault}`, async ({ open }) => {
      const { page, problems } = await open(undefined, { clock: true });
      const row = [interfaces, fault] as const;
      await page.addInitScript(turnOff, row);
      await page.route("**/altcha/*", async (route) => {
        const script = await (await fetch(route.request().url())).text();
        const body = `(${turnOff.toString()})(${JSON.stringify(row)});${script}`;
        await route.fulfill({ contentType: "text/javascript", body });
      });
      // Home removes the parameter from the address.
      const home = `${servers.app.url}/?link=shared`;
      if (["Worker", "crypto.subtle"].includes(interfaces)) {
        await page.goto(home);
        await pasteLink(page, postLink);
        await captchaOf(page).getByRole("checkbox").click();
        return page
          .getByText("lack what the check needs (web workers and Web Crypto). Then update it")
          .waitFor();
      }
      await reachReceipt(page, home, postLink);
      await page.getByRole("button", { name: "Copy reference" }).click();
      await page.getByText(/^(?:Reference copied|Please copy it yourself)$/).waitFor();
      await page.goto(`${servers.app.url}/faq`);
      await page.getByRole("tab", { name: "Safety & Privacy" }).click();
      await page.getByRole("heading", { name: "Safety & Privacy" }).waitFor();
      expect(problems).toEqual([]);
    });

test("in Firefox without cookies, home and the notice say what to do, and a form works", async () => {
  test.skip(missingFor("Firefox").length > 0, "This machine has no Firefox.");
  const preferences = { "network.cookie.cookieBehavior": 2 };
  const look = { width: 360, height: 640, colours: "light", preferences } as const;
  const page = await openEngine("Firefox", look, servers.app.url);
  try {
    const advice = "Allow cookies for this site in the privacy settings of your browser";
    await page.waitFor(advice);
    await startFlow(page);
    await page.waitFor("You Need to Start from the Beginning", "/verification/");
    await page.waitFor(advice);
    await page.goTo(`${servers.app.url}/feedback/`);
    await page.fill("Name", "Ada Lovelace");
    await page.fill("Email", "ada@example.com");
    await page.click("radio", "Feature");
    await page.fill("Message", "Please add a countdown.");
    await passCaptcha(page);
    await page.click("button", "Submit Feedback");
    await page.waitFor("We have your feedback");
    expect(page.driver.problems()).toEqual([]);
  } finally {
    await page.driver.close();
  }
});
