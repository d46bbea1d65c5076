type Source = Record<string, string | undefined>;

/** Settings that may also come from a file: `NAME_FILE` contains the path. */
export const secretSettings = [
  ...["SESSION_SECRET", "VISITOR_HASH_SECRET", "REDIS_URL", "REDIS_SENTINELS", "UPSTASH_REDIS_REST_TOKEN"],
  ...["CAPTCHA_SECRET_KEY", "META_OEMBED_TOKEN", "POST_LOOKUP_SECRET", "LIKE_WEBHOOK_SECRET"],
  ...["SMTP_URL", "CRON_SECRET", "HEALTH_TOKEN"],
] as const;

/** Other names of settings, which Vercel's Upstash integration sets. */
const otherNames = {
  KV_REST_API_URL: "UPSTASH_REDIS_REST_URL",
  KV_REST_API_TOKEN: "UPSTASH_REDIS_REST_TOKEN",
};

/**
 * Returns the variables, with secrets from files and other names under the name of the setting, and a list of problems.
 * `readFile` returns the text of a file, or throws an error with a `code`.
 */
export function readVariables(source: Source, readFile: (path: string) => string) {
  const variables = { ...source };
  const problems: string[] = [];
  for (const name of secretSettings) {
    const path = take(variables, `${name}_FILE`);
    if (!path) continue;
    if (variables[name]?.trim()) {
      problems.push(`${name} and ${name}_FILE exclude each other: set one of the two`);
      continue;
    }
    try {
      variables[name] = readFile(path).trim();
      if (!variables[name]) problems.push(`${name}_FILE: ${path} is empty`);
    } catch (error) {
      problems.push(`${name}_FILE: ${path} cannot be read (${(error as { code?: string }).code})`);
    }
  }
  // Vercel's integration sets REDIS_URL, too. Functions use the REST address of the same database.
  const host = hostOf(variables.KV_REST_API_URL);
  if (host && host === hostOf(variables.REDIS_URL)) delete variables.REDIS_URL;
  for (const [other, name] of Object.entries(otherNames)) {
    const value = take(variables, other);
    if (!value) continue;
    if (variables[name]?.trim() && variables[name].trim() !== value)
      problems.push(`${other} is another name of ${name}, and the values differ: remove one of the two`);
    variables[name] = value;
  }
  return { variables, problems };
}

/** Removes a variable. Returns its value without white space at both ends. */
function take(variables: Source, name: string): string | undefined {
  const value = variables[name]?.trim();
  delete variables[name];
  return value;
}

function hostOf(address = ""): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
