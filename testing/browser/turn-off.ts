/** Runs in a page or worker before its scripts. Removes interfaces ("localStorage navigator.share"), or lets them fail. */
export function turnOff([paths, fault]: readonly [string, string]): void {
  const fail = function () {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  const deny = () => Promise.resolve({ state: "denied" });
  const values = { "is null": null, "is false": false, "throws when used": fail, "is denied": deny };
  for (const path of paths.split(" ")) {
    const names = path.split(".");
    const name = names.pop() ?? "";
    const owner = names.reduce<unknown>((object, each) => (object as never)?.[each], globalThis);
    const property =
      fault === "throws when read" ? { get: fail } : { value: values[fault as keyof typeof values] };
    if (owner) Object.defineProperty(owner, name, property);
  }
}
