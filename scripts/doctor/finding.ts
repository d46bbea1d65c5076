/** What one check came to. `says` is what was seen; `remedy` what to do about it, for all that is not ok. */
export interface Finding {
  level: "ok" | "warning" | "problem";
  /** What was looked at, in a word or two. */
  check: string;
  says: string;
  remedy?: string;
}

export const ok = (check: string, says: string): Finding => ({ level: "ok", check, says });

export const warning = (check: string, says: string, remedy: string): Finding => ({
  level: "warning",
  check,
  says,
  remedy,
});

export const problem = (check: string, says: string, remedy: string): Finding => ({
  level: "problem",
  check,
  says,
  remedy,
});
