import { expect } from 'vitest'
import type { Dependencies } from '../../src/dependencies.ts'

/** After the first step that is not executed, no call has any effect. */
interface Death {
  at<T extends object>(target: T, isStep: (name: string) => boolean): T
}

/** Database steps: a transaction, or a single write. */
export const dbSteps = (name: string): boolean => ['transaction', 'insert', 'update', 'delete'].includes(name)

/** Simulates kill -9 after a number of steps; later steps reach nothing. */
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
 * Runs the work once per possible crash point until it survives; after each crash the next process repairs, then
 * `after` checks. Resolves with the number of crashes.
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
