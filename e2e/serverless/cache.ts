import type { Answer } from "./functions";

interface Question {
  method: string;
  path: string;
  query: string;
}

/**
 * The host's shared cache: keeps what a function's answer allows by `s-maxage`, for everybody, and leaves that word out
 * of what it sends on. https://vercel.com/docs/headers/cache-control-headers
 */
export class SharedCache {
  readonly #keeps: boolean;
  readonly #kept = new Map<string, { until: number; answer: Answer }>();

  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  async through({ method, path, query }: Question, ask: () => Promise<Answer>): Promise<Answer> {
    const key = `${path}?${query}`;
    const kept = method === "GET" ? this.#kept.get(key) : undefined;
    if (kept && kept.until > Date.now()) return sent(kept.answer, "HIT");
    const answer = await ask();
    if (!this.#keeps) return answer;
    if (answer.headers["x-vercel-cache"]) return sent(answer);
    const seconds = Number(/s-maxage=(\d+)/.exec(String(answer.headers["cache-control"]))?.[1] ?? 0);
    if (method !== "GET" || answer.status !== 200 || seconds === 0 || answer.headers["set-cookie"])
      return sent(answer);
    this.#kept.set(key, { until: Date.now() + seconds * 1_000, answer });
    return sent(answer, "MISS");
  }
}

function sent({ status, headers, body }: Answer, state?: string): Answer {
  const control = String(headers["cache-control"] ?? "");
  const own = control
    .split(/,\s*/)
    .filter((word) => !/^(?:s-maxage|stale-while-revalidate)=/.test(word))
    .join(", ");
  return {
    status,
    headers: {
      ...headers,
      ...(control && { "cache-control": own }),
      ...(state && { "x-vercel-cache": state }),
    },
    body,
  };
}
