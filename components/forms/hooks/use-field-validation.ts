"use client";

import { useRef, type ChangeEvent } from "react";
import type { FieldValues, Path, UseFormRegisterReturn, UseFormReturn } from "react-hook-form";
import { useSettledBlur } from "@/lib/client/hooks/use-settled-blur";

/** Controls whose value is chosen at once, where text is still being written. */
const choices = new Set(["select-one", "radio", "checkbox"]);

/**
 * Registers a field so that it is checked when the visitor leaves it after a change, and never while typing. A choice
 * takes its error away at once.
 */
export function useFieldValidation<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
): (name: Path<Input>) => UseFormRegisterReturn<Path<Input>> {
  const { register, trigger, getFieldState } = form;
  const changed = useRef(new Set<string>());

  const check = useSettledBlur((name: Path<Input>) => {
    if (changed.current.delete(name)) void trigger(name);
  });

  function noteChange(name: Path<Input>, control: HTMLInputElement) {
    changed.current.add(name);
    if (choices.has(control.type) && getFieldState(name).error) void trigger(name);
  }

  return (name) =>
    register(name, {
      onChange: (event: ChangeEvent<HTMLInputElement>) => noteChange(name, event.target),
      onBlur: () => check(name),
    });
}
