/**
 * Call this function before React hydrates an element, and the returned function after it. That function restores chosen
 * radio buttons, which react-hook-form unchecks. If an extension or a translator has changed the HTML, React replaces all
 * fields, and the function also restores their values, the focus and the selection.
 */
export function saveFields(root: ParentNode): () => void {
  const { activeElement } = document;
  const findFields = () => [...root.querySelectorAll<HTMLInputElement>("input, textarea, select")];
  const saved = findFields().map((field) => ({ old: field, isChecked: field.checked }));
  return () => {
    for (const { old, isChecked } of saved) {
      const isSame = ({ name, type, value }: HTMLInputElement) =>
        name !== "" && name === old.name && (type !== "radio" || value === old.value);
      const field = old.isConnected ? old : findFields().find(isSame);
      if (!field) continue;
      if (isChecked) field.checked = true;
      if (field === old) continue;
      if (old.value) field.value = old.value;
      if (old !== activeElement) continue;
      field.focus({ preventScroll: true });
      // Email fields and selects have no selection.
      if (typeof old.selectionStart === "number")
        field.setSelectionRange(old.selectionStart, old.selectionEnd);
    }
  };
}
