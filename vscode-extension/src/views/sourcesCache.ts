/** The server's answers about the sources of one project, or of each workspace folder. */
import * as vscode from "vscode";
import type { ChangeEvent, Sources } from "../protocol";
import { allSourcesRequest } from "../protocol";
import { currentContext } from "../requestContext";
import { isSameUri } from "../sameUri";
import type { LanguageServer } from "../server/server";

export interface Project {
  /** The workspace folder; undefined in a window with one folder or none. */
  folder: vscode.WorkspaceFolder | undefined;
  known: Sources;
}

export class SourcesCache {
  private readonly answers = new Map<string, Sources>();

  constructor(private readonly server: LanguageServer) {}

  clear(): void {
    this.answers.clear();
  }

  /** Drop the answers that a change makes invalid; returns whether there are any. */
  invalidate({ root, state, uris }: ChangeEvent): boolean {
    const { size } = this.answers;
    for (const [key, known] of this.answers) {
      const isActive = known.root === root;
      const isShared = known.sources.some(({ uri }) => uris.includes(uri)); // such as user memory
      if (isActive ? known.state !== state : isShared) {
        this.answers.delete(key);
      }
    }
    return this.answers.size < size || size === 0;
  }

  /**
   * Whether one of the files with new findings is a known one. With several folders its answer is
   * dropped: the server reports changes of the current project only.
   */
  isAffected(uris: readonly vscode.Uri[]): boolean {
    const affected = [...this.answers].filter(([, { sources, files }]) =>
      [...sources, ...files].some((source) => uris.some((uri) => isSameUri(source.uri, uri))),
    );
    if ((vscode.workspace.workspaceFolders?.length ?? 0) > 1) {
      for (const [key] of affected) {
        this.answers.delete(key);
      }
    }
    return affected.length > 0;
  }

  /** The sources of the current project; of each folder if the window has several. */
  async projects(): Promise<Project[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const places = folders.length > 1 ? folders : [undefined];
    const found: Project[] = [];
    for (const folder of places) {
      const known = await this.get(folder ? { uri: folder.uri.toString() } : currentContext());
      if (known) {
        found.push({ folder, known });
      }
    }
    return found;
  }

  private async get(place: { uri?: string }): Promise<Sources | undefined> {
    const key = place.uri ?? "";
    const known = this.answers.get(key) ?? (await this.server.request(allSourcesRequest, { ...place, all: true }));
    if (known) {
      this.answers.set(key, known);
    }
    return known;
  }
}
