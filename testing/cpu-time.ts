import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds in one clock tick of Linux. */
const tickMs = 10;

/** Returns the CPU time of all processes in the process group of `pid`, in milliseconds. */
export function cpuMs(pid: number): number {
  const stats = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []));
  const ticks = stats.filter(([, , group]) => group === pid).map((fields) => fields[11]! + fields[12]!);
  return ticks.reduce((sum, each) => sum + each, 0) * tickMs;
}

/** Returns the numbers of proc_pid_stat(5) from the state on. Returns [] if the process has ended. */
function readStat(pid: string): number[][] {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return [fields.split(" ").map(Number)];
  } catch {
    return [];
  }
}
