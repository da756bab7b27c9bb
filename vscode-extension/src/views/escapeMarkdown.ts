/**
 * Escape text for Markdown, so that it is shown as it is.
 *
 * The editor's `appendText` makes every space a no-break space: a long sentence is then not wrapped.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~&]/g, "\\$&").replace(/\s+/g, " ");
}
