import { z } from "zod";

/* What the variables of the environment share, those of a build and those of a start. */

/** Variables as they were given: trimmed, without those that are unset or empty. */
export type RawVariables = Record<string, string>;

/** The variables of an environment that were given. */
export function definedVariables(source: Record<string, string | undefined>): RawVariables {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
}

export type ParseResult<Variables> = { ok: true; variables: Variables } | { ok: false; problems: string[] };

/** Parses all variables of a schema, or collects everything that is wrong: each on its own, and `contradictions`. */
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

/** A whole number of the given bounds. */
export const wholeNumber = (fallback: number, minimum = 0, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `must lie between ${minimum} and ${maximum}`)
    .default(fallback);

/** The address of a page or a service. */
export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
