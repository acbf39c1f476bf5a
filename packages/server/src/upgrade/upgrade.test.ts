import { describe, expect, test } from 'vitest'
import { revertUpgrade, runUpgrade, type UpgradeEffects } from './run-upgrade.ts'
import {
  mayMove,
  replacedFolders,
  startAction,
  successorOf,
  type UpgradePhase,
  upgradePhases
} from './upgrade.machine.ts'

const from = { version: '1.0.0', directory: '/old' }
const to = { version: '1.1.0', directory: '/new' }

describe('what a start does', () => {
  test.each<[UpgradePhase, string, string, string]>([
    ['requested', 'try', 'run', 'run'],
    ['trying', 'revert', 'refuse', 'run'],
    ['reverting', 'revert', 'refuse', 'run'],
    ['reverted', 'run', 'run', 'run'],
    ['done', 'hand-over', 'run', 'run']
  ])('%s: %s from the old folder, %s from another, %s as the version that is tried', (phase, old, other, tried) => {
    const state = { phase, from, to, earlier: ['/first'] }
    expect(startAction(state, '/old', false)).toBe(old)
    expect(startAction(state, '/other', false)).toBe(other)
    expect(startAction(state, '/new', false)).toBe(other)
    expect(startAction(state, '/new', true)).toBe(tried)
    expect(startAction(state, '/first', false)).toBe('hand-over')
    expect(successorOf(state, '/first')).toBe(phase === 'done' ? to : from)
  })

  test('without an upgrade it runs', () => expect(startAction(undefined, '/old', false)).toBe('run'))
})

test('after several upgrades every replaced folder points to the last version', () => {
  const first = { phase: 'done', from: { version: '0.9.0', directory: '/first' }, to: from, earlier: [] } as const
  const earlier = replacedFolders(first, '/old')
  expect(earlier).toEqual(['/first'])
  expect(replacedFolders({ phase: 'reverted', from, to, earlier }, '/old')).toEqual(['/first'])
  expect(replacedFolders({ phase: 'done', from, to, earlier }, '/new')).toEqual(['/first', '/old'])
  expect(replacedFolders({ phase: 'done', from, to, earlier }, '/installed-by-hand')).toEqual([])
})

test('nothing leaves the end of an upgrade', () => {
  for (const end of ['done', 'reverted'] as const)
    for (const phase of upgradePhases) expect(mayMove(end, phase)).toBe(false)
})

class Killed extends Error {}

/** A machine with a store, on which the process is killed before its n-th effect, and in half of it. */
function machine(version: 'good' | 'broken') {
  const disk = { phase: 'requested' as UpgradePhase, store: 'old', copy: undefined as string | undefined }
  let left = Infinity
  const step = async (work: () => void) => {
    if (left-- <= 0) throw new Killed()
    work()
  }
  const effects: UpgradeEffects = {
    async copyStore() {
      await step(() => (disk.copy = undefined))
      await step(() => (disk.copy = disk.store))
    },
    async tryVersion() {
      await step(() => (disk.store = 'half migrated'))
      await step(() => (disk.store = 'new'))
      if (version === 'broken') throw new Error('It exited with status 1.')
    },
    async restoreStore() {
      if (disk.copy === undefined) return
      await step(() => (disk.store = disk.copy!))
      await step(() => (disk.copy = undefined))
    },
    async move(phase) {
      await step(() => {
        if (!mayMove(disk.phase, phase)) throw new Error(`${disk.phase} to ${phase}`)
        disk.phase = phase
      })
    }
  }
  /** A kill stops the process without any clean-up: later effects of it do not happen either. */
  const start = async (steps = Infinity) => {
    left = steps
    const action = startAction({ phase: disk.phase, from, to, earlier: [] }, '/old', false)
    if (action === 'try') await runUpgrade(effects)
    if (action === 'revert') await revertUpgrade(effects, disk.phase, 'The upgrade was interrupted.')
  }
  return { disk, start }
}

describe.each(['good', 'broken'] as const)('a %s version', (version) => {
  test('ends with the store that its phase says', async () => {
    const { disk, start } = machine(version)
    await start()
    expect(disk).toMatchObject(
      version === 'good' ? { phase: 'done', store: 'new' } : { phase: 'reverted', store: 'old' }
    )
  })

  test('after kills at any two steps, the next start finishes or goes back', async () => {
    for (let first = 0; first < 12; first++)
      for (let second = 0; second < 12; second++) {
        const { disk, start } = machine(version)
        await start(first).catch(() => {})
        await start(second).catch(() => {})
        await start()
        expect(['done', 'reverted'], `killed at ${first} and ${second}`).toContain(disk.phase)
        expect(disk.store).toBe(disk.phase === 'done' ? 'new' : 'old')
      }
  })
})
