/** Milliseconds of a clock that nobody sets: since the start of the machine, the same for all of its processes. */
export const machineClockMs = (): number => Number(process.hrtime.bigint()) / 1e6
