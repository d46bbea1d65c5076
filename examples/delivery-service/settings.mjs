// @ts-check
import { fileURLToPath } from "node:url";
import { z } from "zod";

const secret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "each must be whsec_ and at least 24 bytes of base64");

const schema = z.object({
  WEBHOOK_SECRETS: z
    .string({
      error:
        "is required: the site's LIKE_WEBHOOK_SECRET; while it changes, the new and the old one with a comma between",
    })
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(secret)),
  DAILY_LIKES: z.coerce.number().int().min(0).default(100_000),
  LISTEN_HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3100),
});

/**
 * Parses the server's settings (README.md explains them). An empty setting gets its default. If a setting is
 * invalid, throws an Error that lists all problems.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export function readSettings(environment) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const problems = error.issues.map(({ path: [name], message }) => `  ${String(name)}: ${message}`);
  throw new Error(`The settings are invalid:\n${problems.join("\n")}`);
}

/**
 * Returns the path of the SQLite file with all orders. server.mjs and orders.mjs both call this function.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export function ordersFile({ ORDERS_FILE }) {
  return ORDERS_FILE || fileURLToPath(new URL(".data/orders.db", import.meta.url));
}
