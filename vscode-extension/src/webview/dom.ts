/** Creates elements. Text always becomes a text node, so markup in memory is shown as text. */

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;
type Child = Node | string | null;

/** Create an element. Attributes that are false, null or undefined are omitted. */
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

/** Replace `current` by `next` unless they are equal; the focused control keeps the focus. */
export function swap<T extends HTMLElement>(current: T, next: T): T {
  if (current.isEqualNode(next)) {
    return current;
  }
  const controls = (part: HTMLElement) => [...part.querySelectorAll<HTMLElement>("button, select, summary")];
  const focused = controls(current).findIndex((item) => item === document.activeElement);
  current.replaceWith(next);
  controls(next)[focused]?.focus({ preventScroll: true });
  return next;
}

export function button(label: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", action);
  return element;
}
