import { startFlow } from "@/testing/browser/flow-pages";
import { postLink } from "@/testing/sample-posts";
import { startLookupServer } from "@/testing/servers/lookup-servers";
import { expect, test, useServers } from "@/testing/test";

const imageUrl = "https://images.example.com/post.svg";

const servers = useServers({}, async (servers) => {
  const service = await servers.keep(startLookupServer());
  const lookup = { POST_LOOKUP_URL: service.url, POST_LOOKUP_SECRET: "lookup-secret-of-the-tests" };
  const env = { CAPTCHA_PROVIDER: "altcha", ...lookup };
  return { service, app: await servers.start({ build: "widened", env }) };
});

test("leads to the receipt with the username and image of a lookup service", async ({ open }) => {
  const found = { status: "public", username: "sample.account", caption: "Hello", imageUrl };
  servers.service.respond({ status: 200, body: found });
  const { page, problems } = await open();
  // Tests send no requests to the internet.
  await page.route("https://*.example.com/**", (route) => {
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
    return route.fulfill({ contentType: "image/svg+xml", body });
  });
  await startFlow(page, servers.app.url, postLink);
  await page.getByRole("link", { name: "Preview this post" }).click();
  await page.getByRole("heading", { name: "Get Likes for Your Post" }).waitFor();
  await page.getByText("sample.account").first().waitFor();
  const image = page.getByRole("img", { name: "The post by sample.account" });
  await expect(image).toHaveAttribute("src", imageUrl);
  await page.waitForFunction(() => [...document.images].some((each) => each.naturalWidth === 8));
  await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
  await expect(page.getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/).first()).toBeVisible();
  expect(problems).toEqual([]);
});
