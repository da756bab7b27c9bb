/** The page of the panel: no content of its own, and nothing may load but our script and style. */
import { randomBytes } from "node:crypto";

export interface PageParts {
  /** Where the page may load styles from, as the editor names it. */
  cspSource: string;
  script: string;
  style: string;
  locale: string;
  title: string;
  /** The translations, read by the script. */
  bundle: Readonly<Record<string, string>>;
}

export function page(parts: PageParts): string {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `style-src ${parts.cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${escape(parts.locale)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(parts.style)}">
<title>${escape(parts.title)}</title>
</head>
<body data-locale="${escape(parts.locale)}" data-bundle="${escape(JSON.stringify(parts.bundle))}">
<script nonce="${nonce}" src="${escape(parts.script)}"></script>
</body>
</html>`;
}

/** `text` as it may stand in an attribute or an element. */
export function escape(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char);
}
