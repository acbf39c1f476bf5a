import { setTimeout as sleep } from 'node:timers/promises'
import type { ProgramName } from './program.ts'

/** `idle`: nothing uses it yet, so it does not run. `failed`: its last start failed, and it is tried again. */
export type ProgramState = 'idle' | 'starting' | 'running' | 'failed'

/** What `up` knows of the programs that it manages. In a process that manages none, every state is undefined. */
export interface ProgramStates {
  of(name: string): ProgramState | undefined
  set(name: ProgramName, state: ProgramState): void
  /** The settings do without it. */
  forget(name: ProgramName): void
  /** Makes a program idle; `start` is called when it is first used. */
  setIdle(name: ProgramName, start: () => void): void
  /**
   * Call before an idle program is used: starts it and waits until it runs. Resolves at once for a program that is not idle, and when the
   * start fails, since the program's adapter says what is wrong. Rejects with ProgramStartingError once the start has taken `limitMs`; it goes
   * on.
   */
  use(name: ProgramName, limitMs?: number): Promise<void>
  /** Resolves once no program is starting. */
  settled(signal: AbortSignal): Promise<void>
  /** Called after each change, until the returned function is called. */
  onChange(listener: (name: ProgramName, state: ProgramState) => void): () => void
}

/** The first start of an idle program takes longer than its caller waits. */
export class ProgramStartingError extends Error {
  constructor(name: ProgramName) {
    super(`${name} is still starting`)
    this.name = 'ProgramStartingError'
  }
}

// Below the time limits of proxies before the panel, which are often a minute.
const firstUseLimitMs = 45_000

export function createProgramStates(starting: readonly ProgramName[] = []): ProgramStates {
  const states = new Map<string, ProgramState>(starting.map((name) => [name, 'starting']))
  const starts = new Map<ProgramName, () => void>()
  const listeners = new Set<(name: ProgramName, state: ProgramState) => void>()
  const set = (name: ProgramName, state: ProgramState) => {
    if (states.get(name) === state) return
    states.set(name, state)
    for (const listener of listeners) listener(name, state)
  }
  const until = (isDone: () => boolean): { done: Promise<void>; cancel: () => void } => {
    let cancel = () => {}
    const done = new Promise<void>((resolve) => {
      const check = () => {
        if (!isDone()) return
        listeners.delete(check)
        resolve()
      }
      cancel = () => listeners.delete(check)
      listeners.add(check)
      check()
    })
    return { done, cancel }
  }
  /** When each program was started whose first use waits for it. */
  const firstUses = new Map<ProgramName, number>()
  return {
    of: (name) => states.get(name),
    set,
    forget: (name) => void (starts.delete(name), states.delete(name)),
    setIdle(name, start) {
      starts.set(name, start)
      set(name, 'idle')
    },
    async use(name, limitMs = firstUseLimitMs) {
      const start = starts.get(name)
      if (start) {
        starts.delete(name)
        firstUses.set(name, performance.now())
        set(name, 'starting')
        start()
      }
      const startedAt = firstUses.get(name)
      if (startedAt === undefined) return
      const leftMs = startedAt + limitMs - performance.now()
      const { done, cancel } = until(() => states.get(name) !== 'starting')
      const limit = new AbortController()
      const outOfTime = sleep(Math.max(0, leftMs), undefined, { signal: limit.signal }).then(() => {
        throw new ProgramStartingError(name)
      })
      outOfTime.catch(() => {}) // Lost the race.
      try {
        await Promise.race([done, outOfTime])
        firstUses.delete(name)
      } finally {
        limit.abort()
        cancel()
      }
    },
    async settled(signal) {
      const { done, cancel } = until(() => signal.aborted || ![...states.values()].includes('starting'))
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([done, aborted])
      cancel()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
