import { expect } from 'vitest'
import type { Dependencies } from '../../src/dependencies.ts'

/** Of what is called of it, from the first step that is not done any more, nothing is. */
interface Death {
  at<T extends object>(target: T, isStep: (name: string) => boolean): T
}

/** What of the store is a step: a transaction, or a change of rows without one. */
export const dbSteps = (name: string): boolean => ['transaction', 'insert', 'update', 'delete'].includes(name)

/** As after kill -9 once so many steps are done: from there on, nothing outside the process is reached any more. */
function dyingAfter(steps: number): { die: Death; isDead: () => boolean } {
  let left = steps
  let isDead = false
  const die: Death = {
    at: (target, isStep) =>
      new Proxy(target, {
        get(found, name) {
          const value: unknown = Reflect.get(found, name)
          if (typeof value !== 'function') return value
          return (...given: unknown[]): unknown => {
            if (isStep(String(name)) && left-- <= 0) isDead = true
            if (isDead) throw new Error('killed')
            return Reflect.apply(value, found, given)
          }
        }
      })
  }
  return { die, isDead: () => isDead }
}

/**
 * Does it dying after every number of steps, until it survives. After each death the next process repairs what is left, and `after` looks.
 * Resolves with how often it died.
 */
export async function dieAtEveryStep(
  mortal: (die: Death) => Dependencies,
  {
    operation,
    repair,
    after
  }: {
    operation: (deps: Dependencies) => Promise<unknown>
    repair: () => Promise<unknown>
    after: () => Promise<void>
  }
): Promise<number> {
  for (let deaths = 0; ; deaths++) {
    const { die, isDead } = dyingAfter(deaths)
    await operation(mortal(die)).catch((error: Error) => expect(error.message).toBe('killed'))
    const hasDied = isDead()
    if (hasDied) await repair()
    await after()
    if (!hasDied) return deaths
  }
}
