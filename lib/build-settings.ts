/**
 * The settings that stand in prerendered pages and are therefore fixed at build: next.config.ts captures them,
 * lib/server/env.ts reads them back and compares them with what the server was started with.
 */
export const buildSettingNames = [
  "SITE_URL",
  "SITE_NAME",
  "SUPPORT_EMAIL",
  "SECURITY_CONTACT",
  "CAPTCHA_PROVIDER",
  "POST_LOOKUP",
  "LIKE_DELIVERY",
  "INBOX_RETENTION_DAYS",
  "GTM_ID",
  "ADS_CLIENT",
  "ADS_SLOT_HEADER",
  "ADS_SLOT_TOOL",
  "POST_LOOKUP_IMAGE_HOSTS",
  "PIN_PAGES",
] as const;

export type BuildSettingName = (typeof buildSettingNames)[number];
export type BuildSettings = Partial<Record<BuildSettingName, string>>;

/** The fixed-at-build part of an environment; unset and empty names are left out. */
export function captureBuildSettings(environment: Record<string, string | undefined>): BuildSettings {
  const settings: BuildSettings = {};
  for (const name of buildSettingNames) {
    const value = environment[name]?.trim();
    if (value) settings[name] = value;
  }
  return settings;
}
