import { useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";

/**
 * Jest mock of the altcha widget. Three buttons end the check: with a token, without one, or for ever. Texts count the resets,
 * and say whether a check is under way.
 */
export function AltchaWidget({ onToken, onFail, ref }: CaptchaWidgetProps) {
  const button = useRef<HTMLButtonElement>(null);
  const busy = useRef(false);
  const [resets, setResets] = useState(0);
  const [started, setStarted] = useState(false);
  const [solved, setSolved] = useState(0);
  useImperativeHandle(ref, () => ({
    reset() {
      setResets((count) => count + 1);
      onToken(null);
    },
    focus: () => button.current?.focus(),
    start() {
      busy.current = true;
      setStarted(true);
    },
    isBusy: () => busy.current,
  }));
  function end(token: string | null) {
    busy.current = false;
    onToken(token);
  }
  function solve() {
    setSolved(solved + 1);
    end(`token-${solved + 1}`);
  }
  return (
    <>
      <button ref={button} type="button" onClick={solve}>
        Solve the test captcha
      </button>
      <button type="button" onClick={() => end(null)}>
        Fail the test captcha
      </button>
      <button type="button" onClick={onFail}>
        Break the test captcha
      </button>
      <p>Resets: {resets}</p>
      <p>Started: {String(started)}</p>
    </>
  );
}
