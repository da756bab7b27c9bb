// A workbench on a busy machine is late in ways no wait foresees, so what failed is tried once more.
// The report says so: what needs its second attempt again and again is a fault.

/** Run `attempt`; where it fails, tell why and run it again. Resolves with what it resolves with. */
export async function twice(context, attempt) {
  try {
    return await attempt();
  } catch (error) {
    context.diagnostic(`SECOND ATTEMPT, the first one failed: ${error.message}`);
    return attempt();
  }
}
