import { z } from "zod";

/** Environment variables that have a value. The values are trimmed. */
export type RawVariables = Record<string, string>;

/** Returns the variables that have a value, and trims the values. Omits unset and empty variables. */
export function definedVariables(source: Record<string, string | undefined>): RawVariables {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
}

/** Parses each variable by itself. `values` has the valid ones and defaults. `problems` are "NAME: message". */
export function parseVariables<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, given: RawVariables) {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const { success, data, error } = z.safeParse(field, given[name]);
    if (success) values[name] = data;
    else problems.push(...error.issues.map(({ message }) => `${name}: ${message}`));
  }
  return { values: values as Partial<z.output<z.ZodObject<Shape>>>, problems };
}

/** List of texts, separated by commas. */
export const listSchema = z.string().transform((text) => text.split(",").map((part) => part.trim()));

/** Creates a schema for an integer from `minimum` to `maximum`. `fallback` is the default value. */
export const integerSchema = (fallback: number, minimum = 0, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `must lie between ${minimum} and ${maximum}`)
    .default(fallback);

/** URL without user name and password, because the HTTP clients do not send them. */
export const httpUrlSchema = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return !url?.username && !url?.password;
  }, "must not hold a user name or password");
