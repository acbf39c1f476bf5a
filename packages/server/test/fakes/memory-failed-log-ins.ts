import type { FailedLogIn, FailedLogIns } from '../../src/infra/failed-log-ins/failed-log-ins.ts'

export function createMemoryFailedLogIns(): FailedLogIns {
  const listeners = new Set<(failure: FailedLogIn) => void>()
  return {
    report(failure) {
      for (const listener of listeners) listener(failure)
    },
    follow(listener, signal) {
      listeners.add(listener)
      signal.addEventListener('abort', () => listeners.delete(listener), { once: true })
    }
  }
}
