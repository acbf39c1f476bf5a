import { AsyncLocalStorage } from 'node:async_hooks'

const deadlines = new AsyncLocalStorage<AbortSignal>()

/**
 * Runs work with its own deadline: engine calls inside it may wait until then, whatever their usual limits, because a
 * slow engine should not fail work that takes minutes anyway. Errors still fail at once. Other calls keep their
 * limits.
 */
export const untilDeadline = <T>(deadline: AbortSignal, work: () => Promise<T>): Promise<T> =>
  deadlines.run(deadline, work)

export const deadlineOfWork = (): AbortSignal | undefined => deadlines.getStore()
