import { once } from 'node:events'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { createMemoryEngine } from '../../test/fakes/memory-container-engine.ts'
import { type OwnContainerOptions, startOwnContainer } from './own-containers.ts'

const never = 3600_000
let running: { stop(): Promise<void> }
afterEach(() => running.stop())

function start(options: OwnContainerOptions, check: (nth: number) => void = () => {}) {
  const seen = { checks: 0, change: () => {} }
  const engine = {
    ...createMemoryEngine(),
    async watchContainers(_labels: object, onChange: () => void, signal: AbortSignal) {
      seen.change = onChange
      if (!signal.aborted) await once(signal, 'abort')
    }
  }
  const container = {
    async ensure() {
      check(++seen.checks)
    },
    async remove() {}
  }
  const logger = pino({ level: 'silent' })
  running = startOwnContainer({ engine, instanceId: 'panel', logger }, { title: 'a program', container }, options)
  return seen
}

test('the container is checked when one changes, and not otherwise', async () => {
  const seen = start({ restMs: 1, checkEveryMs: never })
  await expect.poll(() => seen.checks).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(seen.checks).toBe(1)
  seen.change()
  await expect.poll(() => seen.checks).toBe(3)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(seen.checks).toBe(3)
})

test('a change during the pause is not lost', async () => {
  const seen = start({ restMs: 50, checkEveryMs: never })
  await expect.poll(() => seen.checks).toBe(1)
  seen.change()
  seen.change()
  await expect.poll(() => seen.checks).toBe(3)
})

test('the container is checked periodically', async () => {
  const seen = start({ restMs: 1, checkEveryMs: 5 })
  await expect.poll(() => seen.checks).toBeGreaterThan(3)
})

test('a failing container is retried', async () => {
  const seen = start({ restMs: 1, checkEveryMs: never }, (nth) => {
    if (nth < 4) throw new Error('no packages')
  })
  await expect.poll(() => seen.checks).toBe(4)
})
