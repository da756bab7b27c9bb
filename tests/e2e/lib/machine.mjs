// How much slower the machine is than the one that the limits of the timed journeys were set on.

/** Milliseconds of CPU time that `work` takes on that machine when nothing else runs. */
const REFERENCE_MS = 110;
const MAX = 5;

/** The factor by which this machine is slower now, from 1 to 5; it changes from minute to minute. */
export function slowness() {
  const times = [work(), work(), work()].sort((one, other) => one - other);
  return Math.min(MAX, Math.max(1, times[1] / REFERENCE_MS));
}

/** Milliseconds of CPU time of a fixed computation. */
function work() {
  const start = process.cpuUsage();
  let sum = 0;
  for (let n = 0; n < 30_000_000; n += 1) {
    sum = (sum + n * 7) % 1_000_003;
  }
  const { user, system } = process.cpuUsage(start);
  return sum < 0 ? 0 : (user + system) / 1000; // the sum is used, so that it is computed
}
