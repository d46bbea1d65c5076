import vercel from "@/vercel.json";
import { captureBuildSettings, getDemoMode, parseBuildSettings } from "./build-settings";
import { resolveDeploymentVariables, functionTimeoutSeconds, maxWebhookTimeoutMs } from "./deployment";

const vercelVariables = {
  VERCEL: "1",
  VERCEL_URL: "likes-abc.vercel.app",
  VERCEL_PROJECT_PRODUCTION_URL: "likes.vercel.app",
};
const productionSettings = {
  LIKE_DELIVERY: "webhook",
  OPERATOR_NAME: "Likes Example Ltd",
  OPERATOR_ADDRESS: "1 Example Street, 10115 Berlin, Germany",
  POST_LOOKUP: "oembed",
  SITE_URL: "https://likes.example",
};

it("keeps production settings on Vercel, and sets SITE_URL to the project address by default", () => {
  const production = { ...vercelVariables, VERCEL_ENV: "production" };
  expect(resolveDeploymentVariables({ ...production, ...productionSettings })).toMatchObject(
    productionSettings,
  );
  expect(resolveDeploymentVariables(production).SITE_URL).toBe("https://likes.vercel.app");
  expect(getDemoMode(parseBuildSettings({ ...production, ...productionSettings }))).toBeNull();
});

it.each([{ VERCEL_ENV: "preview" }, { VERCEL_ENV: "development" }, { DEPLOYMENT: "production" }])(
  "on Vercel, uses demo mode and the deployment address unless VERCEL_ENV is production: %j",
  (variables) => {
    const settings = parseBuildSettings({ ...vercelVariables, ...productionSettings, ...variables });
    expect(settings).toMatchObject({
      DEPLOYMENT: "preview",
      LIKE_DELIVERY: "dry-run",
      SITE_URL: "https://likes-abc.vercel.app",
    });
    expect(getDemoMode(settings)).toBe("demo");
  },
);

it("outside Vercel, forces LIKE_DELIVERY=dry-run only for DEPLOYMENT=preview", () => {
  expect(resolveDeploymentVariables({ ...productionSettings, DEPLOYMENT: "preview" })).toEqual({
    ...productionSettings,
    DEPLOYMENT: "preview",
    LIKE_DELIVERY: "dry-run",
  });
  expect(resolveDeploymentVariables(productionSettings)).toEqual(productionSettings);
});

it("restores the build settings from the JSON of captureBuildSettings", () => {
  const preview = { ...vercelVariables, ...productionSettings, VERCEL_ENV: "preview" };
  const written = JSON.parse(captureBuildSettings(preview)) as Record<string, string>;
  expect(parseBuildSettings(written)).toEqual(parseBuildSettings(preview));
});

it("disables the reconcile timer on serverless hosts, and keeps the webhook timeout below the function timeout", () => {
  expect(resolveDeploymentVariables({ NETLIFY: "true" }).RECONCILE_EVERY_SECONDS).toBe("0");
  expect(vercel.functions["app/api/**/*"].maxDuration).toBe(functionTimeoutSeconds);
  expect(maxWebhookTimeoutMs).toBeLessThan(functionTimeoutSeconds * 1_000);
});
