import { expect, test, useServers } from "@/testing/test";
import { captchaOf, passCaptcha, pasteLink, reachReceipt } from "@/testing/browser/flow-pages";
import { fillInForm, formPages, pressSend } from "@/testing/browser/form-pages";
import { turnOff } from "@/testing/browser/turn-off";
import { openEngine } from "@/testing/engines/engines";
import { passCaptcha as passCaptchaIn, startFlow } from "./engine-steps";
import { postLink } from "@/testing/sample-posts";
import { goodInput } from "@/testing/good-input";
import { browserInterfaces } from "@/testing/field/browser-interfaces";

/* In each row, interfaces are missing or throw. The visitor reaches the receipt, or reads what is missing and what to do. */

const servers = useServers();

/** Interfaces by their paths from `window`, and their faults. There is a test for each fault. */
const table = [
  ["localStorage sessionStorage", "is null"],
  ["localStorage sessionStorage indexedDB document.cookie navigator.clipboard", "throws when read"],
  [
    "Storage.prototype.setItem navigator.clipboard.writeText navigator.clipboard.readText",
    "throws when used",
  ],
  ["BroadcastChannel navigator.clipboard navigator.permissions matchMedia", "is undefined"],
  ["crypto.randomUUID AbortSignal.timeout AbortSignal.any URL.canParse URL.parse", "is undefined"],
  ["BroadcastChannel navigator.permissions.query history.replaceState", "throws when used"],
  ["navigator.onLine", "is false"],
  ["Intl.DateTimeFormat.prototype.resolvedOptions", "throws when used"],
  ["crypto.subtle", "is undefined"],
  ["Worker", "is undefined", "throws when used"],
  // The flow uses none of these.
  ["Notification navigator.share document.startViewTransition navigator.locks CSS.supports", "is undefined"],
  [
    "IntersectionObserver ResizeObserver requestIdleCallback structuredClone Array.prototype.at Temporal",
    "is undefined",
  ],
  ...browserInterfaces.map(({ input }) => input),
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

for (const [title, fails] of [
  ["fails once", (path: string, attempts: number) => attempts === 1],
  ["always fails, except the captcha", (path: string) => !path.includes("altcha")],
] as const)
  test(`each script that a page imports ${title}`, async ({ open }) => {
    const { page } = await open(undefined, { clock: true });
    const attempts = new Map<string, number>();
    const failed = new Set<string>();
    await page.route("**/site/*", (route) => {
      const { pathname } = new URL(route.request().url());
      const [, name = ""] = /site\/(altcha-widget|fp|resolvers|toaster)/.exec(pathname) ?? [];
      attempts.set(name, (attempts.get(name) ?? 0) + 1);
      if (!name || !fails(name, attempts.get(name)!)) return route.continue();
      failed.add(name);
      return route.abort();
    });
    await reachReceipt(page, servers.app.url, postLink);
    await page.goto(servers.app.url + formPages.feedback.path);
    await fillInForm(page, goodInput.feedback);
    await pressSend(page, "feedback");
    await page.getByRole("button", { name: "I'll Complete the Verification" }).click();
    await passCaptcha(page);
    await pressSend(page, "feedback");
    await page.getByText("We have your feedback").waitFor();
    await expect
      .poll(() => [...failed].sort())
      .toEqual(["altcha-widget", "fp", "resolvers", "toaster"].filter((name) => fails(name, 1)));
  });

test("in Firefox without cookies, home and the notice say what to do, and a form works", async () => {
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
    await passCaptchaIn(page);
    await page.click("button", "Submit Feedback");
    await page.waitFor("We have your feedback");
    expect(page.driver.problems()).toEqual([]);
  } finally {
    await page.driver.close();
  }
});
