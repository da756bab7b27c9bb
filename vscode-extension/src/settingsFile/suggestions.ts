/** What can be written at a position of agent-memory.toml, by its JSON schema. */

export interface Schema {
  type?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
}

export interface Suggestion {
  label: string;
  insert: string;
  detail: string;
}

const HEADER = /^\s*\[\s*([\w.-]+)\s*\]/;
const OPEN_HEADER = /^\s*\[\s*[\w.-]*$/;
const KEY = /^\s*[\w.-]*$/;
const VALUE = /^\s*([\w.-]+)\s*=\s*[\w"'-]*$/;

/** The suggestions at the end of `before`, the part of a line before the cursor. */
export function suggestions(schema: Schema, above: readonly string[], before: string): Suggestion[] {
  if (OPEN_HEADER.test(before)) {
    return tables(schema).map(([name, { description }]) => ({ label: name, insert: name, detail: description ?? "" }));
  }
  const table = above.map((line) => HEADER.exec(line)?.[1]).findLast((name) => name !== undefined) ?? "";
  const value = VALUE.exec(before)?.[1];
  if (value !== undefined) {
    const at = find(schema, [table, value]);
    return valuesOf(at ?? {}).map((text) => ({ label: text, insert: text, detail: "" }));
  }
  const inTable = KEY.test(before) ? find(schema, [table]) : undefined;
  return keys(inTable ?? {}).map(([name, { description }]) => ({
    label: name,
    insert: `${name} = `,
    detail: description ?? "",
  }));
}

/** The schema at dotted names, each of which may be empty. */
function find(schema: Schema, names: readonly string[]): Schema | undefined {
  const parts = names.join(".").split(".").filter((part) => part !== "");
  return parts.reduce<Schema | undefined>((at, part) => at?.properties?.[part], schema);
}

/** The keys of a table; those of its tables with dots. */
function keys(schema: Schema): [string, Schema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, item]) =>
    item.properties
      ? keys(item).map(([key, below]): [string, Schema] => [`${name}.${key}`, below])
      : [[name, item] as [string, Schema]],
  );
}

function tables(schema: Schema): [string, Schema][] {
  return Object.entries(schema.properties ?? {}).filter(([, item]) => item.properties);
}

function valuesOf({ type, enum: values, default: initial }: Schema): string[] {
  if (type === "boolean") {
    return ["true", "false"];
  }
  const known = values ?? (initial === undefined ? [] : [initial]);
  return known.map((value) => JSON.stringify(value));
}
