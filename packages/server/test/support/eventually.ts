import { vi } from 'vitest'

/** Retries until it passes, however slow the machine is. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 120_000 })
