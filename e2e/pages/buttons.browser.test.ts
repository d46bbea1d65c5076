import { indexablePages, pages, previewPath, type Page } from "@/lib/http/pages";
import { addCookies } from "@/testing/browser/open-page";
import { expect, test, useServers } from "@/testing/test";
import { Visitor } from "@/testing/visitor";

/* Every button of every built page works: its page has the scripts that it needs. */

const servers = useServers();
const code = "Cxyz123abc_";

for (const page of [
  ...indexablePages,
  pages.verification,
  pages.getLikes,
  pages.preview,
  pages.success,
] as Page[])
  test(`the buttons of ${page.path} work`, async ({ open }) => {
    const visitor = new Visitor(servers.app.url);
    if (page.guard !== "open") await visitor.startFlow(code);
    if (page === pages.success) await visitor.like(code);
    const path = page === pages.preview ? previewPath(code) : page.path;
    const { context } = await open();
    const dead: string[] = [];
    for (let n = 0; ; n += 1) {
      // A button may lead to the home page, which ends the flow.
      await addCookies(context, servers.app.url, visitor);
      const tab = await context.newPage();
      const buttons = tab.locator("button:visible:enabled");
      await tab.goto(servers.app.url + path, { waitUntil: "networkidle" });
      if (n >= (await buttons.count())) break;
      const label = await buttons.nth(n).innerText();
      const changes = buttons.nth(n).evaluate(
        (button) =>
          new Promise<boolean>((resolve) => {
            const done = () => resolve(true);
            window.print = HTMLAnchorElement.prototype.click = done;
            new MutationObserver(done).observe(document, {
              subtree: true,
              childList: true,
              attributes: true,
            });
            for (const event of ["toggle", "focusin"]) document.addEventListener(event, done, true);
            (button as HTMLButtonElement).click();
            setTimeout(() => resolve(false), 2_000);
          }),
      );
      // A page that the button leaves does not respond.
      const leaves = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 3_000));
      const works = await Promise.race([leaves, changes.catch(() => true)]);
      if (!works) dead.push(label);
    }
    expect(dead).toEqual([]);
  });
