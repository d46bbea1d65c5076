import { indexablePages, pages, previewPath, type Page } from "@/lib/http/pages";
import { addCookies } from "@/testing/browser/open-page";
import { postCode } from "@/testing/sample-posts";
import { expect, test, useServers } from "@/testing/test";
import { Visitor } from "@/testing/visitor";

/* Every button of every built page works: its page has the scripts that it needs. */

const servers = useServers();

const steps = [pages.verification, pages.getLikes, pages.preview, pages.success];
for (const page of [...indexablePages, ...steps] as Page[])
  test(`the buttons of ${page.path} work`, async ({ open }) => {
    const visitor = new Visitor(servers.app.url);
    if (page.guard !== "open") await visitor.startFlow();
    if (page === pages.success) await visitor.like();
    const path = page === pages.preview ? previewPath(postCode) : page.path;
    const { context, page: tab } = await open();
    const dead: string[] = [];
    const buttons = tab.locator("button:visible:enabled");
    for (let n = 0, count = 1; n < count; n += 1) {
      // A button may lead to the home page, which ends the flow.
      await addCookies(context, servers.app.url, visitor);
      await tab.goto(servers.app.url + path, { waitUntil: "networkidle" });
      if (n === 0) count = await buttons.count();
      const label = await buttons.nth(n).innerText();
      const hasEffect = buttons.nth(n).evaluate(clickAndWatch);
      // A page that the button leaves does not respond.
      const leaves = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 3_000));
      if (!(await Promise.race([leaves, hasEffect.catch(() => true)]))) dead.push(label);
    }
    expect(dead).toEqual([]);
  });

/** Runs in the page. Clicks a button, and returns whether the page changes, prints or saves a file. */
function clickAndWatch(button: HTMLElement | SVGElement): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => resolve(true);
    window.print = HTMLAnchorElement.prototype.click = done;
    const changes = { subtree: true, childList: true, attributes: true };
    new MutationObserver(done).observe(document, changes);
    for (const event of ["toggle", "focusin"]) document.addEventListener(event, done, true);
    (button as HTMLButtonElement).click();
    setTimeout(() => resolve(false), 2_000);
  });
}
