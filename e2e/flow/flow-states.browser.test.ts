import { expect, test, useServers, type Open } from "@/testing/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { timing } from "@/lib/config/limits";
import { pages, previewPath } from "@/lib/http/pages";
import { usedUpLookups } from "@/lib/server/http/rate-limits";
import { postCode } from "@/testing/sample-posts";
import { chargeLikes } from "@/testing/browser/screen-fixture";
import { translatePage } from "@/testing/browser/translator";
import type { Visitor } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { addCookies } from "@/testing/browser/open-page";

/* For each cell of the table in docs/flow-states.md, all quoted texts are visible. Each test begins with a first visit. */

const servers = useServers({ env: { DAILY_PACING: "on" } });
const sendButton = "Send 50 Free Likes";

type Step = keyof typeof paths;
const paths = {
  Home: pages.home.path,
  "Step 2": `${pages.verification.path}/`,
  "Private account": `${pages.privateAccountError.path}/`,
  "Step 3": `${pages.getLikes.path}/`,
  Waiting: `${pages.getLikes.path}/`,
  Preview: previewPath(postCode),
  Receipt: `${pages.success.path}/`,
};

/** A page at a step. */
interface Place {
  step: Step;
  page: Page;
  /** Requests likes in another tab of the same browser. */
  order(): Promise<void>;
}

const situations: Record<string, (place: Place) => Promise<unknown>> = {
  "Back, after an order": async ({ page, order }) => {
    await page.goto(servers.app.url + pages.faq.path);
    await order();
    await page.goBack();
  },
  Reload: ({ page }) => page.reload(),
  "Not checked": ({ page }) => page.reload(),
  "Second tab": async ({ step, page }) => {
    const tab = await page.context().newPage();
    await page.close();
    await tab.goto(servers.app.url + paths[step]);
  },
  Translated: async ({ page }) => {
    await page.locator("font").first().waitFor({ state: "attached" });
    expect(await page.evaluate(() => window.lostTexts)).toEqual([]);
  },
  Offline: async ({ step, page }) => {
    if (step === "Step 2" || step === "Receipt") {
      await page.route("**/api/instagram/**", (route) => route.abort());
      return page.reload();
    }
    await page.context().setOffline(true);
    if (step === "Home") return page.getByRole("textbox").focus();
    const name = step === "Preview" ? "Get 50 Free Likes" : sendButton;
    return step === "Step 3" || step === "Preview" ? page.getByRole("button", { name }).click() : undefined;
  },
  "Daily limit reached": async ({ step, page }) => {
    // The poll starts after the first response, and ignores a tick within 2 s of a response (SWR's deduplication).
    await page.waitForLoadState("networkidle");
    await page.clock.fastForward(2_500);
    await chargeLikes(servers, 100_000);
    // On the waiting page, the clock has already gone on. The progress must not reach its end.
    await page.clock.fastForward(step === "Waiting" ? timing.progressMinMs / 2 : timing.dailyUsagePollMs);
  },
  Paced: async ({ step, page }) => {
    await chargeLikes(servers, 100_000, "returning");
    if (step === "Step 2") return page.reload();
    if (step === "Preview") return page.getByRole("button", { name: "Get 50 Free Likes" }).click();
    if (step === "Step 3") await page.getByRole("button", { name: sendButton }).click();
    await page.clock.fastForward(timing.progressMaxMs);
  },
  "Order in another tab": async ({ step, page, order }) => {
    await order();
    if (step === "Private account") await page.reload();
  },
  "Flow over": async ({ step, page }) => {
    const tab = await page.context().newPage();
    await tab.addInitScript(() => sessionStorage.setItem("flow.attempt", "of a copied tab"));
    await tab.goto(servers.app.url);
    await expect.poll(() => tab.evaluate(() => document.cookie)).not.toMatch(/flow-\d+=/);
    if (step === "Private account" || step === "Receipt") await page.reload();
  },
};

/** Returns a visitor who may open the step. */
async function visitorAt(step: Step, situation = ""): Promise<Visitor> {
  const post = { postId: postCode, type: "post" as const };
  const unchecked = situation === "Not checked" && { id: `unchecked ${step}` };
  if (unchecked) await servers.store.set(`{likes}:lookup:flow:${unchecked.id}`, usedUpLookups, { ex: 60 });
  const visitor = await newVisitorInFlow(
    servers.app.url,
    post,
    step === "Private account"
      ? { post: null, refusal: "private" }
      : { ...unchecked, visited: [pages.verification.path, pages.getLikes.path] },
  );
  if (step === "Receipt") await visitor.like();
  return visitor;
}

/** Opens a page at a step. */
async function openStep(open: Open, step: Step, situation: string): Promise<Place> {
  const visitor = await visitorAt(step, situation);
  if (situation === "Paced") {
    const neighbour = await visitorAt("Preview");
    Object.assign(neighbour.options, { address: visitor.options.address, fingerprint: "neighbour" });
    await neighbour.like();
  }
  const { page, context } = await open(servers.app.url + paths[step], {
    clock: true,
    as: visitor,
    address: visitor.options.address,
    prepare: async (page) => situation === "Translated" && page.addInitScript(translatePage),
  });
  if (step === "Waiting") {
    await page.waitForLoadState("networkidle");
    // The next poll of the daily usage comes during the progress.
    await page.clock.fastForward(timing.dailyUsagePollMs - timing.progressMinMs / 2);
    await page.getByRole("button", { name: sendButton }).click();
  }
  await expectTexts(page, `${step}: ${situation === "Not checked" ? situation : "First visit"}`);
  return {
    step,
    page,
    async order() {
      const tab = await context.newPage();
      // Home has ended the flow. The private account has another post.
      const other = step === "Home" || step === "Private account" ? await visitorAt("Preview") : visitor;
      await addCookies(tab.context(), servers.app.url, other);
      await tab.goto(servers.app.url + paths.Preview);
      if (step !== "Receipt") await tab.getByRole("button", { name: "Get 50 Free Likes" }).click();
      await tab.getByText("Copy reference").waitFor();
      await tab.close();
    },
  };
}

/** The quoted texts of the table, by step and situation. */
const cells = readTable();

function readTable(): Map<string, string[]> {
  const text = readFileSync(join(__dirname, "..", "..", "docs", "flow-states.md"), "utf8");
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  const [head = [], , ...rows] = lines.map((line) => line.split(/ *\| */).slice(1, -1));
  return new Map(
    rows.flatMap(([situation = "", ...texts]) =>
      texts.map((cell, index) => [
        `${head[index + 1]}: ${situation}`,
        Array.from(cell.matchAll(/"([^"]+)"/g), ([, quoted = ""]) => quoted),
      ]),
    ),
  );
}

async function expectTexts(page: Page, cell: string): Promise<void> {
  for (const text of cells.get(cell) ?? [])
    await page.getByText(text).filter({ visible: true }).first().waitFor();
}

test.afterEach(async () => {
  await chargeLikes(servers, 0);
  await chargeLikes(servers, 0, "returning");
});

test("has a cell with a quotation for each step and each situation", () => {
  const all = ["First visit", ...Object.keys(situations)];
  const expected = Object.keys(paths).flatMap((step) => all.map((situation) => `${step}: ${situation}`));
  expect([...cells.keys()].sort()).toEqual(expected.sort());
  expect([...cells.values()].filter((quoted) => quoted.length === 0)).toEqual([]);
});

for (const situation of Object.keys(situations))
  test.describe(situation, () => {
    for (const step of Object.keys(paths) as Step[])
      test(step, async ({ open }) => {
        const place = await openStep(open, step, situation);
        const context = place.page.context();
        await situations[situation]?.(place);
        const shown = place.page.isClosed() ? context.pages().at(-1)! : place.page;
        await expectTexts(shown, `${step}: ${situation}`);
        if (situation === "Not checked")
          expect(await shown.getByText("Public", { exact: true }).count()).toBe(0);
        if (/order/i.test(situation) && step !== "Home")
          expect(await shown.getByText("likes coming").count()).toBe(0);
      });
  });
