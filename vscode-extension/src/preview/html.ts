/**
 * The page of the panel: no content of its own, and nothing may be loaded.
 *
 * Script and style stand in it: each file that a page loads goes through the editor's service
 * worker, which takes as long as making the panel.
 */
import { randomBytes } from "node:crypto";

export interface PageParts {
  /** What the files hold. */
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
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${escape(parts.locale)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${inside(parts.style)}</style>
<title>${escape(parts.title)}</title>
</head>
<body data-locale="${escape(parts.locale)}" data-bundle="${escape(JSON.stringify(parts.bundle))}">
<script nonce="${nonce}">${inside(parts.script)}</script>
</body>
</html>`;
}

/** `code` as it may stand in its element, which it does not end. */
function inside(code: string): string {
  return code.replace(/<\/(?=script|style)/gi, "<\\/");
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
