import { readFileSync } from "node:fs";

/**
 * Memory of a process in MiB, as Linux tells it: what it holds now (`VmRSS`), or the most that it has held (`VmHWM`).
 * https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export function memoryOf(pid: number | undefined, figure: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kiB = "NaN"] = new RegExp(`^${figure}:\\s+(\\d+)`, "m").exec(status) ?? [];
  return Number(kiB) / 1_024;
}
