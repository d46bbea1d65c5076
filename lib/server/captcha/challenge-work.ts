import "server-only";
import { AppError } from "@/lib/http/errors";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import type { Ledger } from "@/lib/server/likes/ledger";
import { workFactor } from "@/lib/config/captcha-difficulty";

/**
 * Returns a factor from 1 to 4 for the effort of the visitor's next challenge. Returns 1 if Redis fails. This
 * value is safe, because the server accepts no token without Redis.
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
