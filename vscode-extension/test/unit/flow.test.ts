import assert from "node:assert/strict";
import { test } from "node:test";
import type { RememberParams, RememberPlan } from "../../src/protocol";
import type { RememberUi } from "../../src/remember/flow";
import { remember } from "../../src/remember/flow";

const PARAMS: RememberParams = { text: "Use tabs", scope: "project" };

function plan(outcome: RememberPlan["outcome"], message = "the server's reason"): RememberPlan {
  return { outcome, message, target: null, sections: [], secrets: [], evicts: [], item: "- Use tabs", place: "Project Memory > Style", notes: [] };
}

/** A user interface with prepared answers that records all calls and requests. */
function ui(plans: (params: RememberParams) => RememberPlan | undefined, answers: Partial<RememberUi> = {}) {
  const calls: string[] = [];
  const requests: RememberParams[] = [];
  const note = (what: string) => () => {
    calls.push(what);
    return Promise.resolve(undefined);
  };
  const parts: RememberUi = {
    plan: (params) => {
      requests.push(params);
      return Promise.resolve(plans(params));
    },
    apply: (item) => {
      calls.push(`apply ${item.item}`);
      return Promise.resolve(true);
    },
    open: note("open"),
    onDuplicate: note("duplicate"),
    onSecret: note("secret"),
    onConsent: note("consent"),
    onEvicts: note("evicts"),
    onRefused: (message) => {
      calls.push(`refused ${message}`);
      return Promise.resolve();
    },
    ...answers,
  };
  return { parts, calls, requests };
}

test("a ready plan is applied at once", async () => {
  const { parts, calls, requests } = ui(() => plan("ready"));
  assert.equal(await remember(PARAMS, parts), "saved");
  assert.deepEqual(calls, ["apply - Use tabs"]);
  assert.deepEqual(requests, [PARAMS]);
});

test("a plan is repeated if the file changed, a limited number of times", async () => {
  const late = ui(() => plan("ready"), { apply: () => Promise.resolve(late.requests.length === 2) });
  assert.equal(await remember(PARAMS, late.parts), "saved");
  assert.equal(late.requests.length, 2);
  const never = ui(() => plan("ready"), { apply: () => Promise.resolve(false) });
  assert.equal(await remember(PARAMS, never.parts), "refused");
  assert.deepEqual(never.calls, ["refused The editor rejected the edit. Nothing was saved."]);
});

test("a duplicate is opened on request, and nothing is written", async () => {
  const { parts, calls } = ui(() => plan("duplicate"), { onDuplicate: () => Promise.resolve("open") });
  assert.equal(await remember(PARAMS, parts), "opened");
  assert.deepEqual(calls, ["open"]);
});

test("a duplicate is saved on request", async () => {
  const { parts, calls, requests } = ui((params) => plan(params.allowDuplicate ? "ready" : "duplicate"), {
    onDuplicate: () => Promise.resolve("anyway"),
  });
  assert.equal(await remember(PARAMS, parts), "saved");
  assert.deepEqual(calls, ["apply - Use tabs"]);
  assert.deepEqual(requests[1], { ...PARAMS, allowDuplicate: true });
});

test("a secret and a missing folder are asked about once each", async () => {
  const { parts, requests } = ui(
    (params) => plan(!params.redact ? "secret" : !params.create ? "consent" : "ready"),
    { onSecret: () => Promise.resolve("redact"), onConsent: () => Promise.resolve("create") },
  );
  assert.equal(await remember(PARAMS, parts), "saved");
  assert.deepEqual(requests.at(-1), { ...PARAMS, redact: true, create: true });
});

for (const outcome of ["duplicate", "secret", "consent"] as const) {
  test(`a dismissed question about ${outcome} writes nothing`, async () => {
    const { parts, calls } = ui(() => plan(outcome));
    assert.equal(await remember(PARAMS, parts), "canceled");
    assert.deepEqual(calls, [outcome]);
  });
}

test("an item is saved only after it was confirmed, with what the user changed", async () => {
  const no = ui(() => plan("ready"), { onConfirm: () => Promise.resolve(undefined) });
  assert.equal(await remember(PARAMS, no.parts), "canceled");
  assert.deepEqual(no.calls, []);
  const changed = ui(() => plan("ready"), { onConfirm: () => Promise.resolve({ text: "Use spaces" }) });
  assert.equal(await remember(PARAMS, changed.parts), "saved");
  assert.deepEqual(changed.requests.at(-1), { ...PARAMS, text: "Use spaces" });
});

test("another section is shown before the item is saved there", async () => {
  const answers = [{ section: "Style" }, {}];
  const { parts, calls, requests } = ui(() => plan("ready"), { onConfirm: () => Promise.resolve(answers.shift()) });
  assert.equal(await remember(PARAMS, parts), "saved");
  assert.deepEqual(answers, []);
  assert.deepEqual(requests.at(-1), { ...PARAMS, section: "Style" });
  assert.deepEqual(calls, ["apply - Use tabs"]);
});

test("a repeated request for the same consent ends the flow", async () => {
  const { parts, calls, requests } = ui(() => plan("consent"), { onConsent: () => Promise.resolve("create") });
  assert.equal(await remember(PARAMS, parts), "refused");
  assert.deepEqual(calls, ["refused the server's reason"]);
  assert.equal(requests.length, 2);
});

test("removing older items is confirmed once for the same items", async () => {
  const full = { ...plan("ready"), evicts: ["- Use spaces"] };
  const no = ui(() => full);
  assert.equal(await remember(PARAMS, no.parts), "canceled");
  assert.deepEqual(no.calls, ["evicts"]);
  let questions = 0;
  const yes = ui(() => full, {
    onEvicts: () => {
      questions += 1;
      return Promise.resolve("evict");
    },
    apply: () => Promise.resolve(yes.requests.length === 3),
  });
  assert.equal(await remember(PARAMS, yes.parts), "saved");
  assert.equal(questions, 1);
});

test("the applied plan is made after the last question", async () => {
  let made = 0;
  const { parts, calls } = ui(() => ({ ...plan("ready"), evicts: ["- Use spaces"], item: `- plan ${++made}` }), {
    onEvicts: () => Promise.resolve("evict"),
  });
  assert.equal(await remember(PARAMS, parts), "saved");
  assert.deepEqual(calls, ["apply - plan 2"]);
});

test("a refusal shows the server's reason", async () => {
  const { parts, calls } = ui(() => plan("refused", "the file is a folder"));
  assert.equal(await remember(PARAMS, parts), "refused");
  assert.deepEqual(calls, ["refused the file is a folder"]);
});

test("nothing happens without a server", async () => {
  const { parts, calls } = ui(() => undefined);
  assert.equal(await remember(PARAMS, parts), "canceled");
  assert.deepEqual(calls, []);
});
