/** Making elements. Text only ever becomes a text node: memory that holds markup shows as it is. */

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;
type Child = Node | string | null;

/** An element; attributes that are false, null or undefined are left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((item) => item !== null));
  return element;
}

export function button(label: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", action);
  return element;
}
