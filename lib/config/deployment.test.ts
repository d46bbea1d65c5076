import vercel from "@/vercel.json";
import { captureBuildSettings, demoModeOf, parseBuildSettings } from "./build-settings";
import { deploymentVariables, functionSeconds, longestWebhookTimeoutMs } from "./deployment";

const host = {
  VERCEL: "1",
  VERCEL_URL: "likes-abc.vercel.app",
  VERCEL_PROJECT_PRODUCTION_URL: "likes.vercel.app",
};
const live = { LIKE_DELIVERY: "webhook", POST_LOOKUP: "oembed", SITE_URL: "https://likes.example" };

it("production on the host is what the settings say, at the project's address unless they name one", () => {
  const production = { ...host, VERCEL_ENV: "production" };
  expect(deploymentVariables({ ...production, ...live })).toMatchObject(live);
  expect(deploymentVariables(production).SITE_URL).toBe("https://likes.vercel.app");
  expect(demoModeOf(parseBuildSettings({ ...production, ...live }))).toBeNull();
});

it.each([{ VERCEL_ENV: "preview" }, { VERCEL_ENV: "development" }, { DEPLOYMENT: "production" }])(
  "everything else there is a demo under its own address: %j",
  (variables) => {
    const settings = parseBuildSettings({ ...host, ...live, ...variables });
    expect(settings).toMatchObject({
      DEPLOYMENT: "preview",
      LIKE_DELIVERY: "dry-run",
      SITE_URL: "https://likes-abc.vercel.app",
    });
    expect(demoModeOf(settings)).toBe("demo");
  },
);

it("a copy anywhere else is a preview when it is called one", () => {
  expect(deploymentVariables({ ...live, DEPLOYMENT: "preview" })).toEqual({
    ...live,
    DEPLOYMENT: "preview",
    LIKE_DELIVERY: "dry-run",
  });
  expect(deploymentVariables(live)).toEqual(live);
});

it("what a build writes down means the same where it is read", () => {
  const preview = { ...host, ...live, VERCEL_ENV: "preview" };
  const written = JSON.parse(captureBuildSettings(preview)) as Record<string, string>;
  expect(parseBuildSettings(written)).toEqual(parseBuildSettings(preview));
});

it("no timer runs where functions do, and a like ends before its function", () => {
  expect(deploymentVariables({ NETLIFY: "true" }).RECONCILE_EVERY_SECONDS).toBe("0");
  expect(vercel.functions["app/api/**/*"].maxDuration).toBe(functionSeconds);
  expect(longestWebhookTimeoutMs).toBeLessThan(functionSeconds * 1_000);
});
