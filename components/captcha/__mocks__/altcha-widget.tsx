import { useImperativeHandle, useRef, useState } from "react";
import type { CaptchaWidgetProps } from "@/components/captcha/captcha-widget";

/** Jest mock of the altcha widget. Two buttons call `onToken` and `onFail`. A text counts the resets. */
export function AltchaWidget({ onToken, onFail, ref }: CaptchaWidgetProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [resets, setResets] = useState(0);
  const [solved, setSolved] = useState(0);
  useImperativeHandle(ref, () => ({
    reset() {
      setResets((count) => count + 1);
      onToken(null);
    },
    focus: () => button.current?.focus(),
  }));
  function solve() {
    setSolved(solved + 1);
    onToken(`token-${solved + 1}`);
  }
  return (
    <>
      <button ref={button} type="button" onClick={solve}>
        Solve the test captcha
      </button>
      <button type="button" onClick={onFail}>
        Break the test captcha
      </button>
      <p>Resets: {resets}</p>
    </>
  );
}
