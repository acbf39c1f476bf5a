import { describe, expect, test } from 'vitest'
import {
  commandOf,
  type FoundInstance,
  isCrashLooping,
  isSteady,
  planProcesses,
  type WantedInstance,
  wantedInstances,
  type WorkerFacts
} from './process-plan.policy.ts'

const worker: WorkerFacts = {
  projectId: 'pid',
  name: 'worker',
  command: null,
  instances: 2,
  memoryMb: null,
  cpus: null,
  restarts: 0,
  deploymentId: 'did',
  volumes: '',
  procfile: { worker: 'node worker.js' }
}

describe('the wanted instances', () => {
  test('are named by project, process and number', () => {
    expect(wantedInstances(worker).map(({ key }) => key)).toEqual(['pid-worker-1', 'pid-worker-2'])
  })

  test.each<[string, Partial<WorkerFacts>]>([
    ['a release without the process', { procfile: {} }],
    ['a name of Object.prototype', { name: 'constructor' }],
    ['no instances', { instances: 0 }]
  ])('none: %s', (_title, values) => {
    expect(wantedInstances({ ...worker, ...values })).toEqual([])
  })

  test('the owner’s command comes before the Procfile’s', () => {
    expect(commandOf({ ...worker, command: 'node other.js' })).toBe('node other.js')
    expect(wantedInstances({ ...worker, procfile: {}, command: 'node other.js' })).toHaveLength(2)
  })

  const revisionOf = (values: Partial<WorkerFacts> = {}) => wantedInstances({ ...worker, ...values })[0]!.revision
  test.each<Partial<WorkerFacts>>([
    { deploymentId: 'other' },
    { restarts: 1 },
    { command: 'node other.js' },
    { memoryMb: 64 },
    { volumes: 'vid' },
    { cpus: 0.5 }
  ])('%j makes containers outdated', (values) => {
    expect(revisionOf(values)).not.toBe(revisionOf())
  })

  test('another number of instances does not', () => {
    expect(revisionOf({ instances: 5 })).toBe(revisionOf())
  })
})

describe('the plan', () => {
  const wanted = (n: number): WantedInstance => ({
    key: `pid-worker-${n}`,
    process: 'worker',
    instance: n,
    revision: 'r'
  })
  const found = (n: number, values: Partial<FoundInstance> = {}): FoundInstance => ({
    ...wanted(n),
    id: `c${n}`,
    status: 'running',
    ...values
  })

  test.each<[string, WantedInstance[], FoundInstance[], { remove?: string[]; start?: string[]; create?: string[] }]>([
    ['nothing to do', [wanted(1)], [found(1)], {}],
    ['a crash-looping one is left to the engine', [wanted(1)], [found(1, { status: 'restarting' })], {}],
    ['a missing one', [wanted(1), wanted(2)], [found(1)], { create: ['pid-worker-2'] }],
    ['one too many', [wanted(1)], [found(1), found(2)], { remove: ['c2'] }],
    ['an outdated one', [wanted(1)], [found(1, { revision: 'old' })], { remove: ['c1'], create: ['pid-worker-1'] }],
    ['one that was stopped by hand', [wanted(1)], [found(1, { status: 'exited' })], { start: ['c1'] }],
    ['one that a killed panel created', [wanted(1)], [found(1, { status: 'created' })], { start: ['c1'] }],
    ['a broken one', [wanted(1)], [found(1, { status: 'dead' })], { remove: ['c1'], create: ['pid-worker-1'] }],
    ['nothing is wanted', [], [found(1), found(2, { status: 'exited' })], { remove: ['c1', 'c2'] }]
  ])('%s', (_title, instances, containers, expected) => {
    const { remove, start, create } = planProcesses(instances, containers)
    const ids = (list: readonly FoundInstance[]) => list.map(({ id }) => id)
    expect({ remove: ids(remove), start: ids(start), create: create.map(({ key }) => key) }).toEqual({
      remove: [],
      start: [],
      create: [],
      ...expected
    })
  })
})

describe('a crash loop', () => {
  const now = new Date('2026-01-01T00:10:00Z')
  const [justNow, longAgo] = ['2026-01-01T00:09:55Z', '2026-01-01T00:00:00Z']
  test.each([
    ['waits for its next start', 'restarting', 5, longAgo, true],
    ['was just restarted again', 'running', 5, justNow, true],
    ['exited once', 'restarting', 1, longAgo, false],
    ['runs again', 'running', 5, longAgo, false],
    ['never exited', 'running', 0, justNow, false]
  ])('%s', (_title, status, restartCount, startedAt, expected) => {
    expect(isCrashLooping({ status, restartCount, startedAt }, now)).toBe(expected)
  })

  test('is over when it has run for a while', () => {
    expect(isSteady({ status: 'running', restartCount: 5, startedAt: longAgo }, now)).toBe(true)
    expect(isSteady({ status: 'running', restartCount: 5, startedAt: justNow }, now)).toBe(false)
    expect(isSteady({ status: 'restarting', restartCount: 5, startedAt: longAgo }, now)).toBe(false)
  })
})
