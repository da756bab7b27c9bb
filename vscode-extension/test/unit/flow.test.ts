import assert from "node:assert/strict";
import { test } from "node:test";
import type { RememberParams, RememberPlan } from "../../src/protocol";
import type { RememberUi } from "../../src/remember/flow";
import { remember } from "../../src/remember/flow";

const PARAMS: RememberParams = { text: "Use tabs", scope: "project" };

function plan(outcome: RememberPlan["outcome"], message = "as the server says"): RememberPlan {
  return { outcome, message, target: null, sections: [], secrets: [], evicts: [], item: "- Use tabs" };
}

/** A user interface that gives the prepared answers and notes all that it is asked. */
function ui(plans: (params: RememberParams) => RememberPlan | undefined, answers: Partial<RememberUi> = {}) {
  const seen: string[] = [];
  const asked: RememberParams[] = [];
  const note = (what: string) => () => {
    seen.push(what);
    return Promise.resolve(undefined);
  };
  const parts: RememberUi = {
    plan: (params) => {
      asked.push(params);
      return Promise.resolve(plans(params));
    },
    apply: (item) => {
      seen.push(`apply ${item.item}`);
      return Promise.resolve(true);
    },
    open: note("open"),
    onDuplicate: note("duplicate"),
    onSecret: note("secret"),
    onConsent: note("consent"),
    onEvicts: note("evicts"),
    onRefused: (message) => {
      seen.push(`refused ${message}`);
      return Promise.resolve();
    },
    ...answers,
  };
  return { parts, seen, asked };
}

test("a ready plan is applied at once", async () => {
  const { parts, seen, asked } = ui(() => plan("ready"));
  assert.equal(await remember(PARAMS, parts), "filed");
  assert.deepEqual(seen, ["apply - Use tabs"]);
  assert.deepEqual(asked, [PARAMS]);
});

test("a plan is made anew where the file changed meanwhile, and not for ever", async () => {
  const late = ui(() => plan("ready"), { apply: () => Promise.resolve(late.asked.length === 2) });
  assert.equal(await remember(PARAMS, late.parts), "filed");
  assert.equal(late.asked.length, 2);
  const never = ui(() => plan("ready"), { apply: () => Promise.resolve(false) });
  assert.equal(await remember(PARAMS, never.parts), "refused");
  assert.deepEqual(never.seen, ["refused The editor did not apply the edit. Nothing was filed."]);
});

test("a duplicate is opened where the user says so, and nothing is written", async () => {
  const { parts, seen } = ui(() => plan("duplicate"), { onDuplicate: () => Promise.resolve("open") });
  assert.equal(await remember(PARAMS, parts), "opened");
  assert.deepEqual(seen, ["open"]);
});

test("a duplicate is filed all the same where the user says so", async () => {
  const { parts, seen, asked } = ui((params) => plan(params.anyway ? "ready" : "duplicate"), {
    onDuplicate: () => Promise.resolve("anyway"),
  });
  assert.equal(await remember(PARAMS, parts), "filed");
  assert.deepEqual(seen, ["apply - Use tabs"]);
  assert.deepEqual(asked[1], { ...PARAMS, anyway: true });
});

test("a secret and a missing folder each ask once and keep the answers", async () => {
  const { parts, asked } = ui(
    (params) => plan(!params.redact ? "secret" : !params.create ? "consent" : "ready"),
    { onSecret: () => Promise.resolve("redact"), onConsent: () => Promise.resolve("create") },
  );
  assert.equal(await remember(PARAMS, parts), "filed");
  assert.deepEqual(asked.at(-1), { ...PARAMS, redact: true, create: true });
});

for (const outcome of ["duplicate", "secret", "consent"] as const) {
  test(`an unanswered question about ${outcome} writes nothing`, async () => {
    const { parts, seen } = ui(() => plan(outcome));
    assert.equal(await remember(PARAMS, parts), "cancelled");
    assert.deepEqual(seen, [outcome]);
  });
}

test("a server that asks for the same consent again is refused instead of asked for ever", async () => {
  const { parts, seen, asked } = ui(() => plan("consent"), { onConsent: () => Promise.resolve("create") });
  assert.equal(await remember(PARAMS, parts), "refused");
  assert.deepEqual(seen, ["refused as the server says"]);
  assert.equal(asked.length, 2);
});

test("what makes place is asked about before it is written, once for the same items", async () => {
  const full = { ...plan("ready"), evicts: ["- Use spaces"] };
  const no = ui(() => full);
  assert.equal(await remember(PARAMS, no.parts), "cancelled");
  assert.deepEqual(no.seen, ["evicts"]);
  let questions = 0;
  const yes = ui(() => full, {
    onEvicts: () => {
      questions += 1;
      return Promise.resolve("evict");
    },
    apply: () => Promise.resolve(yes.asked.length === 3),
  });
  assert.equal(await remember(PARAMS, yes.parts), "filed");
  assert.equal(questions, 1);
});

test("what is written was planned after the last question, not before it", async () => {
  let made = 0;
  const { parts, seen } = ui(() => ({ ...plan("ready"), evicts: ["- Use spaces"], item: `- plan ${++made}` }), {
    onEvicts: () => Promise.resolve("evict"),
  });
  assert.equal(await remember(PARAMS, parts), "filed");
  assert.deepEqual(seen, ["apply - plan 2"]);
});

test("a refusal says the server's reason", async () => {
  const { parts, seen } = ui(() => plan("refused", "the file is a folder"));
  assert.equal(await remember(PARAMS, parts), "refused");
  assert.deepEqual(seen, ["refused the file is a folder"]);
});

test("without a server nothing happens", async () => {
  const { parts, seen } = ui(() => undefined);
  assert.equal(await remember(PARAMS, parts), "cancelled");
  assert.deepEqual(seen, []);
});
