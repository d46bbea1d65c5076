"use client";

import { useRef, type ChangeEvent } from "react";
import type { UseFormRegisterReturn, UseFormReturn } from "react-hook-form";
import { useSettledBlur } from "@/lib/client/hooks/use-settled-blur";

/** Types of controls that visitors change with one click. Excludes text fields, which need many changes. */
const choiceTypes = new Set(["select-one", "radio", "checkbox"]);

/**
 * Returns a `register` function that validates a changed field when the field loses focus. If a select, radio
 * button or checkbox has an error, the function also validates the control at every change. Calls `onValid` when a
 * validated field has no error.
 */
export function useFieldValidation(
  { register, trigger, getFieldState }: UseFormReturn,
  onValid: (name: string) => void,
): (name: string) => UseFormRegisterReturn {
  const changed = useRef(new Set<string>());

  const check = (name: string) => void trigger(name).then((valid) => valid && onValid(name));
  const validate = useSettledBlur((name: string) => changed.current.delete(name) && check(name));

  function handleChange(name: string, control: HTMLInputElement) {
    changed.current.add(name);
    if (choiceTypes.has(control.type) && getFieldState(name).error) check(name);
  }

  return (name) =>
    register(name, {
      onChange: (event: ChangeEvent<HTMLInputElement>) => handleChange(name, event.target),
      onBlur: () => validate(name),
    });
}
