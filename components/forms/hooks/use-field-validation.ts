"use client";

import { useRef, type ChangeEvent } from "react";
import type { FieldValues, Path, UseFormRegisterReturn, UseFormReturn } from "react-hook-form";
import { useSettledBlur } from "@/lib/client/hooks/use-settled-blur";

/** Types of controls that visitors change with one click. Excludes text fields, which need many changes. */
const choiceTypes = new Set(["select-one", "radio", "checkbox"]);

/**
 * Returns a `register` function that validates a changed field when the field loses focus. If a select, radio
 * button or checkbox has an error, the function also validates the control at every change. Calls `onValid` when a
 * validated field has no error.
 */
export function useFieldValidation<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  onValid: (name: Path<Input>) => void,
): (name: Path<Input>) => UseFormRegisterReturn<Path<Input>> {
  const { register, trigger, getFieldState } = form;
  const changed = useRef(new Set<string>());

  const check = (name: Path<Input>) => void trigger(name).then((valid) => valid && onValid(name));
  const validate = useSettledBlur((name: Path<Input>) => changed.current.delete(name) && check(name));

  function handleChange(name: Path<Input>, control: HTMLInputElement) {
    changed.current.add(name);
    if (choiceTypes.has(control.type) && getFieldState(name).error) check(name);
  }

  return (name) =>
    register(name, {
      onChange: (event: ChangeEvent<HTMLInputElement>) => handleChange(name, event.target),
      onBlur: () => validate(name),
    });
}
