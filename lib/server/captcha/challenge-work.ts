import "server-only";
import { AppError } from "@/lib/http/errors";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import type { Ledger } from "@/lib/server/likes/ledger";
import { workFactor } from "@/lib/config/captcha-difficulty";

/**
 * Returns the work factor of the visitor's next challenge. Returns 1 when Redis fails. This is safe, because
 * the server then accepts no token.
 */
export async function challengeWork(
  visitor: VisitorIdentity,
  ledger: Pick<Ledger, "networkUsage">,
): Promise<number> {
  try {
    return workFactor(await ledger.networkUsage(visitor));
  } catch (error) {
    if (error instanceof AppError && error.code === "service_unavailable") return 1;
    throw error;
  }
}
