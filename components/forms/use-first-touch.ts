import { useEffect, useEffectEvent, useRef, useState, type HTMLAttributes, type RefObject } from "react";

export interface FirstTouch {
  touched: boolean;
  /** For the form element. */
  formProps: { ref: RefObject<HTMLFormElement | null> } & Pick<
    HTMLAttributes<HTMLFormElement>,
    "onFocus" | "onPointerEnter" | "onPointerDown"
  >;
}

/**
 * Tells when a visitor turns to a form: what only then is needed need not weigh on a page that is just read.
 *
 * @param prepare called once, at the first focus or pointer; or at the start, when a visitor was there before the script
 */
export function useFirstTouch(prepare: () => void): FirstTouch {
  const [touched, setTouched] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function touch() {
    if (touched) return;
    setTouched(true);
    prepare();
  }

  const touchIfFocused = useEffectEvent(() => {
    if (form.current?.contains(document.activeElement)) touch();
  });
  useEffect(() => touchIfFocused(), []);

  return { touched, formProps: { ref: form, onFocus: touch, onPointerEnter: touch, onPointerDown: touch } };
}
