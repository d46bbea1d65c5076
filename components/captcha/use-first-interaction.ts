import { useEffect, useEffectEvent, useRef, useState, type ComponentProps, type RefObject } from "react";

export interface InteractionProps extends Pick<
  ComponentProps<"form">,
  "onFocus" | "onPointerEnter" | "onPointerDown"
> {
  ref: RefObject<HTMLFormElement | null>;
}

/** Calls `prepare` at the first focus or pointer event, or at mount when the form is already in use. */
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

/** Checks for focus or typed text, because the form may have lost the focus before hydration. */
function isInUse(form: HTMLFormElement): boolean {
  // A checkbox without a value attribute has `value` "on", but `defaultValue` "".
  const textFields = "input:not([type=checkbox]), textarea";
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(textFields)];
  return (
    form.contains(document.activeElement) || fields.some(({ value, defaultValue }) => value !== defaultValue)
  );
}
