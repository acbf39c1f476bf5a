import { AsyncLocalStorage } from 'node:async_hooks'

const deadlines = new AsyncLocalStorage<AbortSignal>()

/**
 * Runs work that has a deadline of its own. What it asks the engine is waited for until then, whatever the limits of single calls: an engine that
 * is slow under load is no reason to give up what takes minutes anyway. An engine that is away, or refuses, fails it at once. The rest of
 * the panel goes on with its limits.
 */
export const untilDeadline = <T>(deadline: AbortSignal, work: () => Promise<T>): Promise<T> =>
  deadlines.run(deadline, work)

/** Of the work that asks; undefined where it has none. */
export const deadlineOfWork = (): AbortSignal | undefined => deadlines.getStore()
