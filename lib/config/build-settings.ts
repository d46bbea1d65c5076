import { z } from "zod";
import { resolveDeploymentVariables } from "./deployment";
import { definedVariables, httpUrlSchema, listSchema, parseVariables } from "./variable-schemas";

const hostList = listSchema
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .refine(
    (hosts) => hosts.every((host) => /^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z0-9-]+$/.test(host)),
    "must be host names such as images.example.com or *.example.com, separated by commas",
  )
  .default([]);

/** Text that pages contain in a JSON-LD script, in which "</script>" would end the script. */
const lineOfText = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `must have ${maxLength} characters or less`)
    .regex(/^[^<>\p{Cc}]+$/u, "must be one line without < and >");

/** Accepts the addresses that browsers accept. The default of zod rejects "r&d@example.com" and "a@b.xn--p1ai". */
export const emailSchema = z.email({ pattern: z.regexes.html5Email, error: "must be an e-mail address" });

const adUnit = z.optional(z.string().regex(/^\d{5,20}$/, "must be the number of an ad unit"));

/** Default of SUPPORT_EMAIL. Nobody reads this address, so the server mails no messages to it. */
export const sampleSupportEmail = "support@example.com";

/** Settings that the build writes into prerendered pages. A server with other settings logs a warning. */
export const buildSettingsSchema = z.object({
  DEPLOYMENT: z
    .enum(["production", "preview", "trial"], { error: "must be production, preview or trial" })
    .default("production"),
  SITE_URL: httpUrlSchema
    // Caddy gets the same text, and takes a slash at its end for a path.
    .check(({ value, issues }) => {
      if (!URL.canParse(value)) return;
      const { origin, href } = new URL(value);
      if (origin === value) return;
      const message =
        href === `${origin}/` ? `write it as ${origin}` : "must be an origin: no path, no query";
      issues.push({ code: "custom", input: value, message });
    })
    .default("http://localhost:3000"),
  SITE_NAME: lineOfText(60).default("Boost50"),
  OPERATOR_NAME: lineOfText(120).optional(),
  OPERATOR_ADDRESS: lineOfText(250).optional(),
  SUPPORT_EMAIL: emailSchema.default(sampleSupportEmail),
  CAPTCHA_PROVIDER: z
    .enum(["altcha", "recaptcha", "turnstile"], { error: "must be altcha, recaptcha or turnstile" })
    .default("altcha"),
  POST_LOOKUP: z
    .enum(["sandbox", "oembed", "http"], { error: "must be sandbox, oembed or http" })
    .default("sandbox"),
  POST_LOOKUP_IMAGE_HOSTS: hostList,
  LIKE_DELIVERY: z.enum(["dry-run", "webhook"], { error: "must be dry-run or webhook" }).default("dry-run"),
  GTM_ID: z.optional(z.string().regex(/^GTM-[A-Z0-9]{4,}$/, "must be a container's id, such as GTM-ABC1234")),
  ADS_CLIENT: z
    .string()
    .regex(/^ca-pub-\d{10,20}$/, "must be a publisher's id, such as ca-pub-1234567890123456")
    .optional(),
  ADS_SLOT_HEADER: adUnit,
  ADS_SLOT_TOOL: adUnit,
});

export type BuildSettings = z.output<typeof buildSettingsSchema>;

export const buildSettingNames = buildSettingsSchema.keyof().options;

/** Returns the build settings in `source` as JSON. The server compares its settings with this JSON. */
export function captureBuildSettings(source: Record<string, string | undefined>): string {
  return JSON.stringify(resolveDeploymentVariables(definedVariables(source)), buildSettingNames);
}

/** Parses the build settings in `source`. Throws an error that lists every problem. */
export function parseBuildSettings(source: Record<string, string | undefined>): BuildSettings {
  const given = resolveDeploymentVariables(definedVariables(source));
  const { values, problems } = parseVariables(buildSettingsSchema, given);
  problems.push(...findBuildProblems(values));
  if (problems.length > 0) throw new Error(`Configuration of the build:\n${problems.join("\n")}`);
  return values as BuildSettings;
}

/** Checks combinations of build settings. Returns one message for each broken rule. */
export function findBuildProblems(values: Partial<BuildSettings>): string[] {
  const units = (["ADS_SLOT_HEADER", "ADS_SLOT_TOOL"] as const).filter((name) => values[name]);
  const live = values.LIKE_DELIVERY === "webhook" && values.DEPLOYMENT === "production";
  const missing = (["OPERATOR_NAME", "OPERATOR_ADDRESS"] as const).filter((name) => !values[name]);
  return [
    ...(units.length > 0 && !values.ADS_CLIENT ? [`ADS_CLIENT: needed for ${units.join(" and ")}`] : []),
    ...(values.ADS_CLIENT && units.length === 0
      ? ["ADS_SLOT_HEADER or ADS_SLOT_TOOL: ADS_CLIENT alone shows no ads"]
      : []),
    ...(live ? missing : []).map(
      (name) => `${name}: needed for live delivery, because the pages must say who runs the site`,
    ),
  ];
}

/** Reason for the demo banner. "demo": likes or posts are not real. "trial": orders go to a test service. */
export type DemoMode = "demo" | "trial";

/** Returns the demo mode of a build. Returns null if the site requests real likes for real posts. */
export function getDemoMode({ DEPLOYMENT, LIKE_DELIVERY, POST_LOOKUP }: BuildSettings): DemoMode | null {
  if (DEPLOYMENT === "trial") return "trial";
  return LIKE_DELIVERY !== "webhook" || POST_LOOKUP === "sandbox" ? "demo" : null;
}
