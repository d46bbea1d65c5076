/** The result of one check of the doctor. */
export interface Finding {
  level: "ok" | "warning" | "problem";
  check: string;
  says: string;
  /** How to correct a warning or a problem. */
  remedy?: string;
}

/** Matches the codes of Node's errors for TLS and certificates. */
export const tlsErrorPattern = /CERT|SSL|TLS|EPROTO|UNABLE_TO/;

/** Returns functions that create the findings of a check. */
export function findingsOf(check: string) {
  return {
    ok: (says: string): Finding => ({ level: "ok", check, says }),
    warning: (says: string, remedy: string): Finding => ({ level: "warning", check, says, remedy }),
    problem: (says: string, remedy: string): Finding => ({ level: "problem", check, says, remedy }),
  };
}
