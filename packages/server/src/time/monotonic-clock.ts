/** Milliseconds since boot (CLOCK_MONOTONIC): the same in all processes and unaffected by clock changes. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
