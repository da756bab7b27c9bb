/**
 * The HTML of the panel: no content, and nothing may be loaded.
 *
 * Script and style are inline: each file that a page loads goes through the editor's service
 * worker, which takes as long as creating the panel.
 */
import { randomBytes } from "node:crypto";

export interface PageParts {
  script: string;
  style: string;
  locale: string;
  title: string;
  /** The translations for the script. */
  bundle: Readonly<Record<string, string>>;
}

export function pageHtml(parts: PageParts): string {
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
<style nonce="${nonce}">${inline(parts.style)}</style>
<title>${escape(parts.title)}</title>
</head>
<body data-locale="${escape(parts.locale)}" data-bundle="${escape(JSON.stringify(parts.bundle))}">
<script nonce="${nonce}">${inline(parts.script)}</script>
</body>
</html>`;
}

/** Escape end tags in `code` so that they do not end its element. */
function inline(code: string): string {
  return code.replace(/<\/(?=script|style)/gi, "<\\/");
}

/** Escape `text` for an attribute or element. */
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
