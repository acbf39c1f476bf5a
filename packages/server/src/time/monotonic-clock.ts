/** Milliseconds since the machine started (CLOCK_MONOTONIC): the same in all processes, and not affected by changes of the system time. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
