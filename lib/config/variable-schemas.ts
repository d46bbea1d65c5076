import { z } from "zod";

/** Environment variables that have a value. The values are trimmed. */
export type RawVariables = Record<string, string>;

/** Returns the variables that have a value, and trims the values. Omits unset and empty variables. */
export function definedVariables(source: Record<string, string | undefined>): RawVariables {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
}

export type ParseResult<Variables> = { ok: true; variables: Variables } | { ok: false; problems: string[] };

/** Parses variables with a schema. `problems` lists the schema errors, then the `contradictions`. */
export function parseVariables<Variables>(
  schema: z.ZodType<Variables>,
  given: RawVariables,
  contradictions: readonly string[],
): ParseResult<Variables> {
  const parsed = schema.safeParse(given);
  if (parsed.success && contradictions.length === 0) return { ok: true, variables: parsed.data };
  const wrong = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
  return { ok: false, problems: [...wrong, ...contradictions] };
}

/** Creates a schema for an integer from `minimum` to `maximum`. `fallback` is the default value. */
export const integerSchema = (fallback: number, minimum = 0, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `must lie between ${minimum} and ${maximum}`)
    .default(fallback);

export const httpUrlSchema = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
