import { timing } from "@/lib/config/limits";
import { postLink } from "@/testing/sample-posts";
import type { EnginePage } from "@/testing/engines/engine-page";

/** Passes the captcha of the page. */
export async function passCaptcha(page: EnginePage): Promise<void> {
  await page.click("checkbox");
  await page.waitFor("Verification complete.");
}

/** Sends the form of step 1, on the home page. */
export async function startFlow(page: EnginePage): Promise<void> {
  await page.fill("Link of your Instagram post or reel", postLink);
  await passCaptcha(page);
  await page.click("button", "Continue to Next Step");
}

/** Goes from step 2 to step 3. */
export async function continueToGetLikes(page: EnginePage): Promise<void> {
  await page.click("link", "Continue to Get Likes");
  await page.waitFor("Get 50 Free Instagram Likes", "/get-likes/");
}

/** Goes from step 3 to step 4. */
export async function sendLikes(page: EnginePage): Promise<void> {
  await page.click("button", "Send 50 Free Likes");
  await page.waitFor("Please don't close this page. Your likes are being delivered.");
  await skipProgress(page);
  await page.waitFor("Likes Delivered Successfully!", "/success/");
}

/** Ends the simulated progress, which reads the time from `performance.now`. */
export async function skipProgress(page: EnginePage): Promise<void> {
  await page.driver.evaluate((progressMs) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + progressMs;
  }, timing.progressMaxMs);
}
