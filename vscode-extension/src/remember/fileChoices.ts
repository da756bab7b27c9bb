/** The available memory files as choices. */
import { t } from "../l10n";
import type { Shortener } from "../preview/segmentView";
import type { Target } from "../protocol";
import { scopeName } from "../preview/names";

export interface FileChoice {
  label: string;
  description: string;
  file: string;
}

/** In the server's order: files of the selected runtime first. */
export function fileChoices(targets: readonly Target[], shorten: Shortener): FileChoice[] {
  return targets.map(({ path, uri, scope, role, name, runtime, exists }) => ({
    label: shorten(path),
    description: [role === "skill" ? name : "", scopeName(scope), runtime, exists ? "" : t("new file")]
      .filter((fact) => fact !== "")
      .join(" · "),
    file: uri,
  }));
}
