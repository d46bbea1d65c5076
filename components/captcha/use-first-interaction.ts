import { useEffect, useEffectEvent, useRef, useState, type ComponentProps, type RefObject } from "react";

/** What the form carries. */
export interface InteractionProps extends Pick<
  ComponentProps<"form">,
  "onFocus" | "onPointerEnter" | "onPointerDown"
> {
  ref: RefObject<HTMLFormElement | null>;
}

/**
 * Tells when a visitor turns to a form: what only then is needed need not weigh on a page that is just read.
 *
 * @param prepare called once, at the first focus or pointer; or at the start, when a visitor was there before the script
 */
export function useFirstInteraction(prepare: () => void): { touched: boolean; formProps: InteractionProps } {
  const [touched, setTouched] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function touch() {
    if (touched) return;
    setTouched(true);
    prepare();
  }

  const touchIfInUse = useEffectEvent(() => {
    if (form.current && isInUse(form.current)) touch();
  });
  useEffect(() => touchIfInUse(), []);

  return { touched, formProps: { ref: form, onFocus: touch, onPointerEnter: touch, onPointerDown: touch } };
}

/** Something was typed, or the focus is there: what else asks for attention may have taken it away. */
function isInUse(form: HTMLFormElement): boolean {
  // A check box without a value has one that is not its default.
  const typed = "input:not([type=checkbox]), textarea";
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(typed)];
  return (
    form.contains(document.activeElement) || fields.some(({ value, defaultValue }) => value !== defaultValue)
  );
}
