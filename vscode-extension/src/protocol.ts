/** The custom messages of the language server (docs/protocol.md). */
import type { Range, WorkspaceEdit } from "vscode-languageclient/node";

export type Scope = "user" | "project";

/** The project, runtime and agent of a request. */
export interface RequestContext {
  uri?: string;
  runtime?: string;
  agent?: string;
}

export interface PromptParams extends RequestContext {
  /** Ignore unsaved buffers. */
  saved?: boolean;
  /** Read files from git's HEAD. */
  committed?: boolean;
  /** Return secrets unmasked. */
  reveal?: boolean;
}

export type SegmentKind =
  | "template"
  | "user"
  | "project"
  | "root"
  | "skills"
  | "entries"
  | "base";

/** A piece of the prompt. Lines count from 0 and are null unless it comes from a file. */
export interface Segment {
  kind: SegmentKind;
  text: string;
  label: string;
  path: string | null;
  uri: string | null;
  startLine: number | null;
  endLine: number | null;
  bytes: number;
  tokens: number;
}

export type SourceStatus =
  | "loaded"
  | "listed"
  | "missing"
  | "empty"
  | "shadowed"
  | "truncated"
  | "unreadable"
  | "ignored";

export interface Source {
  path: string;
  uri: string;
  scope: string;
  role: string;
  status: SourceStatus;
  reason: string;
  order: number | null;
  name: string;
  bytes: number;
  tokens: number;
}

export interface PromptProblem {
  message: string;
  path: string | null;
  uri: string | null;
  severity: "error" | "warning" | "info";
}

export interface Prompt {
  runtime: string;
  title: string;
  runtimeReason: string;
  agent: string;
  agentReason: string;
  version: string;
  exactness: "exact" | "unverified" | "own-wording";
  origin: string;
  text: string;
  masked: boolean;
  hash: string;
  bytes: number;
  tokens: number;
  budget: number;
  segments: Segment[];
  sources: Source[];
  problems: PromptProblem[];
}

/** The project of an answer and the available runtimes and agents. */
export interface PromptInfo {
  root: string | null;
  runtimes: { id: string; title: string }[];
  agents: string[];
  /** A digest of everything except the text. */
  state: string;
}

/** Requests the changes since the text with the id `since`; "" is the empty text. */
export interface PromptPatchParams extends PromptParams {
  since: string;
}

/** A prompt as a patch of the text `base`. `units` is a segment's length in UTF-16 code units. */
export interface PromptPatch extends Omit<Prompt, "text" | "segments">, PromptInfo {
  segments: (Omit<Segment, "text"> & { units: number })[];
  patch: { id: string; base: string; at: number; removed: number; text: string };
}

export interface Sources extends PromptInfo {
  runtime: string;
  title: string;
  runtimeReason: string;
  agent: string;
  agentReason: string;
  sources: Source[];
}

export interface RememberParams extends RequestContext {
  text: string;
  /** The target: the memory file of a scope, or a file by its URI. */
  scope?: Scope;
  file?: string;
  section?: string;
  origin?: { uri: string; range: Range; languageId: string } | undefined;
  redact?: boolean;
  anyway?: boolean;
  create?: boolean;
  /** An agent asks: instruction files and the memory of other agents are refused. */
  byAgent?: boolean;
}

export interface RememberPlan {
  outcome: "ready" | "duplicate" | "secret" | "consent" | "refused";
  message: string;
  target: { uri: string; line: number; section: string; exists: boolean } | null;
  sections: { title: string; suggested: boolean }[];
  secrets: { kind: string; redacted: string }[];
  edit?: WorkspaceEdit | null;
  /** The items that are removed to make room. */
  evicts: string[];
  item: string;
  /** Where the item is, for the user: the file, or its section. */
  place: string;
  /** What the user must know besides; part of the message. */
  notes: string[];
}

/** A file that is valid as `file` in `RememberParams`. */
export interface Target {
  path: string;
  uri: string;
  scope: string;
  role: string;
  /** The name of a skill. */
  name: string;
  /** The runtime that reads the file. */
  runtime: string;
  exists: boolean;
}

export interface RecallParams extends RequestContext {
  query: string;
  limit?: number;
}

export interface Entry {
  id: string;
  scope: string;
  kind: string;
  summary: string;
  tags: string[];
  score: number;
  path: string;
  uri: string;
  body: string;
}

/** The prompt or its sources changed; `at` is in seconds since the epoch. */
export interface ChangeEvent {
  runtime: string;
  agent: string;
  root: string | null;
  hash: string;
  /** The hash of the saved prompt. */
  saved: string;
  /** As in the answers, which are current while it stays the same. */
  state: string;
  /** Increases with each change of the recalled entries or their folder. */
  entries: number;
  bytes: number;
  tokens: number;
  budget: number;
  errors: number;
  warnings: number;
  uris: string[];
  at: number;
}

/** A request: its method, and the types of its parameters and answer. */
export interface Request<P, R> {
  readonly method: string;
  /** Only for the type checker. */
  readonly types?: (params: P) => R;
}

export const promptRequest: Request<PromptParams, Prompt & PromptInfo> = { method: "agentMemory/prompt" };
export const promptPatchRequest: Request<PromptPatchParams, PromptPatch> = { method: "agentMemory/prompt" };
export const sourcesRequest: Request<RequestContext, Sources> = { method: "agentMemory/sources" };
export const rememberRequest: Request<RememberParams, RememberPlan> = {
  method: "agentMemory/remember",
};
export const targetsRequest: Request<RequestContext, { targets: Target[] }> = {
  method: "agentMemory/targets",
};
/** What each runtime does with a file or its `line` (from 0); see docs/protocol.md. */
export const explainRequest: Request<{ uri: string; line?: number }, Record<string, unknown>> = {
  method: "agentMemory/explain",
};
export const recallRequest: Request<RecallParams, { entries: Entry[] }> = {
  method: "agentMemory/recall",
};
export const statusRequest: Request<object, Record<string, unknown>> = {
  method: "agentMemory/status",
};
export const CHANGED_NOTIFICATION = "agentMemory/changed";
