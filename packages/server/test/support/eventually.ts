import { vi } from 'vitest'

/** Tries until it passes: what is waited for comes, however loaded the machine is. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 120_000 })
