import { setTimeout as sleep } from 'node:timers/promises'
import type { RemedyCode } from '@panel/contract/remedy-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { ProgramName } from './program.ts'

/** `idle`: unused, so not running. `failed`: the last start failed and is being retried. */
export type ProgramState = 'idle' | 'starting' | 'running' | 'failed'

/** States of the programs that `up` manages. In other processes every state is undefined. */
export interface ProgramStates {
  of(name: string): ProgramState | undefined
  /** `remedy` for a failed program, if the usual one of this program does not help. */
  set(name: ProgramName, state: ProgramState, remedy?: Sentence<RemedyCode>): void
  remedyFor(name: string): Sentence<RemedyCode> | undefined
  /** The settings do without it. */
  forget(name: ProgramName): void
  /** Makes a program idle; `start` is called when it is first used. */
  setIdle(name: ProgramName, start: () => void): void
  /**
   * Call before using an idle program: starts it and waits until it runs. Resolves at once if it is not idle, and when
   * the start fails, because the adapter then reports the problem. Rejects with ProgramStartingError after `limitMs`;
   * the start continues.
   */
  use(name: ProgramName, limitMs?: number): Promise<void>
  /** Resolves when no program is starting. */
  settled(signal: AbortSignal): Promise<void>
  /** Called after each change; returns an unsubscribe function. */
  onChange(listener: (name: ProgramName, state: ProgramState) => void): () => void
}

/** The first start takes longer than the caller waits. */
export class ProgramStartingError extends Error {
  constructor(name: ProgramName) {
    super(`${name} is still starting`)
    this.name = 'ProgramStartingError'
  }
}

// Below the timeout of proxies in front of the panel, often one minute.
const firstUseLimitMs = 45_000

export function createProgramStates(starting: readonly ProgramName[] = []): ProgramStates {
  const states = new Map<string, ProgramState>(starting.map((name) => [name, 'starting']))
  const starts = new Map<ProgramName, () => void>()
  const listeners = new Set<(name: ProgramName, state: ProgramState) => void>()
  const remedies = new Map<string, Sentence<RemedyCode>>()
  const set = (name: ProgramName, state: ProgramState, remedy?: Sentence<RemedyCode>) => {
    if (remedy) remedies.set(name, remedy)
    else if (state !== 'starting') remedies.delete(name)
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
  /** Start time of programs whose first use is waiting. */
  const firstUses = new Map<ProgramName, number>()
  return {
    of: (name) => states.get(name),
    set,
    remedyFor: (name) => remedies.get(name),
    forget: (name) => void (starts.delete(name), states.delete(name), remedies.delete(name)),
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
