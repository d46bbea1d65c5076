import { expect, test, useServers } from "@/testing/test";
import { captchaOf, passCaptcha, reachReceipt } from "@/testing/browser/flow-pages";
import { fillInForm, formPages, pressSend } from "@/testing/browser/form-pages";
import { turnOff } from "@/testing/browser/turn-off";
import { postLink } from "@/testing/sample-posts";
import { goodInput } from "@/testing/good-input";
import { browserInterfaces } from "@/testing/field/browser-interfaces";

/* In each row, interfaces are missing or throw. The visitor reaches the receipt, or reads what is missing and what to do. */

const servers = useServers();

/** Interfaces by their paths from `window`, and their faults. There is a test for each fault. */
const table = [
  ["localStorage sessionStorage indexedDB document.cookie navigator.clipboard", "throws when read"],
  ["Storage.prototype.setItem navigator.clipboard.writeText navigator.permissions.query", "throws when used"],
  ["BroadcastChannel history.replaceState Intl.DateTimeFormat.prototype.resolvedOptions", "throws when used"],
  ["BroadcastChannel navigator.clipboard navigator.permissions matchMedia", "is undefined"],
  ["crypto.randomUUID AbortSignal.timeout AbortSignal.any URL.canParse URL.parse Temporal", "is undefined"],
  [
    "IntersectionObserver ResizeObserver requestIdleCallback structuredClone Array.prototype.at",
    "is undefined",
  ],
  ["navigator.onLine", "is false"],
  ["crypto.subtle", "is undefined"],
  ["Worker", "is undefined", "throws when used"],
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
        await page.getByRole("textbox").fill(postLink);
        await captchaOf(page).getByRole("checkbox").click();
        return page
          .getByText("lack what the check needs (web workers and Web Crypto). Then update it")
          .waitFor();
      }
      await reachReceipt(page, home, postLink);
      await page.getByRole("button", { name: "Copy reference" }).click();
      await page.getByRole("button", { name: /^(?:Reference copied|Please copy it yourself)$/ }).waitFor();
      await page.goto(`${servers.app.url}/faq`);
      await page.getByRole("tab", { name: "Safety & Privacy" }).click();
      await page.getByRole("heading", { name: "Safety & Privacy" }).waitFor();
      expect(problems).toEqual([]);
    });

const imported = ["altcha-widget", "fp", "resolvers", "toaster"];

for (const [title, fails] of [
  ["fails once", (_name: string, isFirst: boolean) => isFirst],
  ["always fails, except the captcha", (name: string) => name !== "altcha-widget"],
] as const)
  test(`each script that a page imports ${title}`, async ({ open }) => {
    const { page } = await open(undefined, { clock: true });
    const requested = new Set<string>();
    await page.route("**/site/*", (route) => {
      const { pathname } = new URL(route.request().url());
      const name = imported.find((each) => pathname.startsWith(`/site/${each}`));
      const isFailing = name !== undefined && fails(name, !requested.has(name));
      if (name) requested.add(name);
      return isFailing ? route.abort() : route.continue();
    });
    await reachReceipt(page, servers.app.url, postLink);
    await page.goto(servers.app.url + formPages.feedback.path);
    await fillInForm(page, goodInput.feedback);
    await pressSend(page, "feedback");
    await page.getByRole("button", { name: "I'll Complete the Verification" }).click();
    await passCaptcha(page);
    await pressSend(page, "feedback");
    await page.getByText("We have your feedback").waitFor();
    await expect.poll(() => [...requested].sort()).toEqual(imported);
  });
