import { useEffect, useEffectEvent, useState } from "react";
import { Progress } from "@/components/ui/progress";
import { timing } from "@/lib/config/limits";

const milestones = [
  { from: 95, message: "Almost done!" },
  { from: 80, message: "Finalizing..." },
  { from: 60, message: "Sending likes..." },
  { from: 40, message: "Processing request..." },
  { from: 20, message: "Verifying post..." },
  { from: 0, message: "Connecting to Instagram..." },
];

/** The caption of the dots while the progress runs. */
export const sendingNote = "The dots become rings when your request is sent; until then nothing is counted.";

/**
 * Simulates progress for 10 to 20 s, from the elapsed time, because background tabs delay timers. At its end, the page sends the
 * request.
 */
export function SimulatedProgress({ onDone }: { onDone: () => void }) {
  const [percent, setPercent] = useState(0);
  const done = useEffectEvent(onDone);

  useEffect(() => {
    const { progressMinMs, progressMaxMs, progressTickMs, progressEndDelayMs } = timing;
    const duration = progressMinMs + Math.random() * (progressMaxMs - progressMinMs);
    const start = performance.now();
    let end: ReturnType<typeof setTimeout>;
    const ticks = setInterval(() => {
      const next = Math.min(100, ((performance.now() - start) / duration) * 100);
      setPercent(next);
      if (next < 100) return;
      clearInterval(ticks);
      end = setTimeout(() => done(), progressEndDelayMs);
    }, progressTickMs);
    return () => {
      clearInterval(ticks);
      clearTimeout(end);
    };
  }, []);

  return (
    <div className="flex flex-col gap-1.5 pt-2 sm:gap-2">
      {/* Screen readers announce it here. */}
      <p className="sr-only">{sendingNote}</p>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold sm:text-lg">
        <p>{milestones.find(({ from }) => percent >= from)?.message}</p>
        {/* Screen readers announce new messages, but not every percentage. */}
        <p aria-live="off" className="tabular-nums">{`${Math.floor(percent)}%`}</p>
      </div>
      <Progress value={Math.floor(percent)} label="Progress" />
      <p className="pb-1 text-sm leading-5 sm:mt-1 sm:pb-0 text-muted-foreground">
        Please don&apos;t close this page. Your likes are being delivered.
      </p>
    </div>
  );
}
