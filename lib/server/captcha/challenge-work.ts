import "server-only";
import { AppError } from "@/lib/http/errors";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import type { Ledger } from "@/lib/server/likes/ledger";
import { workFactor } from "@/lib/config/captcha-difficulty";

/**
 * How many times the normal work a visitor's next check takes: it grows with the orders of their networks. The normal one
 * when Redis does not answer: a check alone wins nothing, and what it opens asks Redis again.
 */
export async function challengeWork(visitor: VisitorIdentity, ledger: Pick<Ledger, "use">): Promise<number> {
  try {
    return workFactor(await ledger.use(visitor));
  } catch (error) {
    if (error instanceof AppError && error.code === "service_unavailable") return 1;
    throw error;
  }
}
