/** The server's answers about the sources of one project, or of each workspace folder. */
import * as vscode from "vscode";
import type { ChangeEvent, Sources } from "../protocol";
import { allSourcesRequest } from "../protocol";
import { currentContext } from "../requestContext";
import { isSameUri } from "../sameUri";
import type { LanguageServer } from "../server/server";
import { Answers } from "./answers";

export interface Project {
  /** The workspace folder; undefined in a window with one folder or none. */
  folder: vscode.WorkspaceFolder | undefined;
  known: Sources;
}

export class SourcesCache {
  private readonly answers = new Answers<Sources>();

  constructor(private readonly server: LanguageServer) {}

  clear(): void {
    this.answers.invalidate();
  }

  /** Drop the answers that a change makes invalid; returns whether there are any. */
  invalidate({ root, state, uris }: ChangeEvent): boolean {
    const isEmpty = this.answers.size === 0;
    const isAny = this.answers.invalidate((known) => {
      const isActive = known.root === root;
      const isShared = known.sources.some(({ uri }) => uris.includes(uri)); // such as user memory
      return isActive ? known.state !== state : isShared;
    });
    return isAny || isEmpty;
  }

  /**
   * Whether one of the files with new findings is a known one. With several folders its answer is
   * dropped: the server reports changes of the current project only.
   */
  isAffected(uris: readonly vscode.Uri[]): boolean {
    const names = ({ sources, files }: Sources) =>
      [...sources, ...files].some((source) => uris.some((uri) => isSameUri(source.uri, uri)));
    const isAffected = this.answers.values().some(names);
    if (isAffected && (vscode.workspace.workspaceFolders?.length ?? 0) > 1) {
      this.answers.invalidate(names);
    }
    return isAffected;
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

  private get(place: { uri?: string }): Promise<Sources | undefined> {
    return this.answers.get(place.uri ?? "", () => this.server.request(allSourcesRequest, { ...place, all: true }));
  }
}
