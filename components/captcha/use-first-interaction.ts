import { useEffect, useEffectEvent, useRef, useState } from "react";

/** Calls `prepare` once: on first focus or press in the form, or on mount if that was before hydration. */
export function useFirstInteraction(prepare: () => void) {
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

/** Returns true if the form has the focus or contains text that the visitor typed before hydration. */
function isInUse(form: HTMLFormElement): boolean {
  // Excludes checkboxes. Their `value` is "on" and their `defaultValue` is "", so they would look changed.
  const textFields = "input:not([type=checkbox]), textarea";
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(textFields)];
  return (
    form.contains(document.activeElement) || fields.some(({ value, defaultValue }) => value !== defaultValue)
  );
}
