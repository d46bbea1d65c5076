import { expect, test, useServers } from "@/testing/test";
import { passCaptcha } from "@/testing/browser/flow-pages";
import { postLink } from "@/testing/sample-posts";
import { returningVisitor } from "@/testing/visitor";

/*
 * lib/client/hooks/use-countdown.test.tsx covers wrong and changed clocks, sleeping devices and the back/forward cache.
 * Home takes the server's time from a header instead of an API response.
 */

const hourMs = 3_600_000;

const servers = useServers();

for (const hours of [24, -24])
  test(`with a clock that is ${hours} hours ahead, home counts down, and the captcha lasts 20 minutes`, async ({
    open,
  }) => {
    const visitor = await returningVisitor(servers.app.url);
    const { nextAvailable } = (await visitor.get("/api/instagram/status")).body as { nextAvailable: string };
    const { page } = await open(undefined, { as: visitor, clock: true });
    const states: string[] = [];
    await page.clock.install({ time: Date.now() + hours * hourMs });
    const order = JSON.stringify({ nextAvailable, dailyLimit: null, storedAt: 0 });
    await page.addInitScript((value) => localStorage.setItem("last-order", value), order);
    await page.addInitScript('addEventListener("statechange", (e) => console.log(e.detail.state), true)');
    page.on("console", (message) => states.push(message.text()));
    await page.goto(servers.app.url);
    // Ticks can be late, the header has whole seconds, and the response can take a second on a busy machine.
    await expect
      .poll(async () => {
        const shown = await page.getByRole("timer").innerText();
        const [seconds = 0, minutes = 0, hours = 0] = shown.split(":").map(Number).reverse();
        const left = (Date.parse(nextAvailable) - Date.now()) / 1_000;
        return Math.abs(hours * 3_600 + minutes * 60 + seconds - left);
      })
      .toBeLessThan(2.5);
    await page.getByRole("textbox").fill(postLink);
    await passCaptcha(page);
    await page.clock.fastForward(19 * 60_000);
    expect(states).toEqual(["verifying", "verified"]);
    await page.clock.fastForward(60_000);
    await expect.poll(() => states).toEqual(["verifying", "verified", "expired"]);
  });
