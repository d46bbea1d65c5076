import "server-only";
import { AppError } from "@/lib/http/errors";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import type { Ledger } from "@/lib/server/likes/ledger";
import { workFactor } from "@/lib/config/captcha-difficulty";

/** Returns a visitor's next work factor. Without Redis, 1 is safe: the later requests need Redis too. */
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
