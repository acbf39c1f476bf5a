import { expect, test } from 'vitest'
import {
  placeOf,
  planRepairs,
  type FoundContainer,
  type Repair,
  type Slot,
  type WantedContainer
} from './reconcile.policy.ts'

const wanted = (values: Partial<WantedContainer> = {}): WantedContainer => ({
  projectId: 'p',
  deploymentId: 'd',
  containerId: 'c',
  shouldRun: true,
  isDeploying: false,
  knownStatus: 'running',
  ...values
})
const found = (status = 'running', values: Partial<FoundContainer> = {}): FoundContainer => ({
  id: 'c',
  projectId: 'p',
  deploymentId: 'd',
  status,
  place: 'own',
  ...values
})
const slot = (values: Partial<Slot> = {}): Slot => ({ deploymentId: 'd', retired: false, ...values })

test.each<
  [
    string,
    { wanted?: WantedContainer[]; found?: FoundContainer[]; slots?: Slot[]; open?: string[]; openProjects?: string[] },
    Repair[]
  ]
>([
  ['all is well', { wanted: [wanted()], found: [found()], slots: [slot()] }, []],
  [
    'one on the network that accounts shared is moved',
    { wanted: [wanted()], found: [found('running', { place: 'shared' })], slots: [slot()] },
    [{ kind: 'move', projectId: 'p', deploymentId: 'd' }]
  ],
  [
    'unless it does not run: it is started there first',
    { wanted: [wanted()], found: [found('exited', { place: 'shared' })], slots: [slot()] },
    [{ kind: 'start', projectId: 'p', containerId: 'c' }]
  ],
  [
    'one whose network is gone cannot be started, and is moved',
    { wanted: [wanted()], found: [found('exited', { place: 'lost' })], slots: [slot()] },
    [{ kind: 'move', projectId: 'p', deploymentId: 'd' }]
  ],
  [
    'while it is deployed it is on its way',
    { wanted: [wanted({ isDeploying: true })], found: [found('running', { place: 'lost' })], slots: [slot()] },
    []
  ],
  [
    'where it is to rest it stays where it is',
    { wanted: [wanted({ shouldRun: false, knownStatus: 'exited' })], found: [found('exited', { place: 'lost' })], slots: [slot()] }, // prettier-ignore
    []
  ],
  [
    'a container without a reservation is an orphan',
    { found: [found()] },
    [{ kind: 'remove-container', containerId: 'c' }]
  ],
  ['a container of a deployment at work stays', { found: [found('created')], slots: [slot()], open: ['d'] }, []],
  ['so does the one that is being committed to its image', { found: [found('created')], open: ['d'] }, []],
  ['a step of a build stays', { found: [found('running', { deploymentId: '' })], openProjects: ['p'] }, []],
  [
    'a step that projects share stays while any is built',
    { found: [found('running', { projectId: '', deploymentId: '' })], openProjects: ['p'] },
    []
  ],
  [
    'and goes when none is',
    { found: [found('running', { projectId: '', deploymentId: '' })] },
    [{ kind: 'remove-container', containerId: 'c' }]
  ],
  [
    'a step of a build that nobody waits for goes',
    { found: [found('running', { deploymentId: '' })], openProjects: ['q'] },
    [{ kind: 'remove-container', containerId: 'c' }]
  ],
  [
    'a reservation of a deployment that failed goes',
    { found: [found()], slots: [slot()] },
    [{ kind: 'remove-slot', deploymentId: 'd' }]
  ],
  [
    'a retired container is drained',
    { wanted: [wanted()], found: [found()], slots: [slot(), slot({ deploymentId: 'old', retired: true })] },
    [{ kind: 'retire', deploymentId: 'old' }]
  ],
  [
    'a container that is gone comes back',
    { wanted: [wanted()], slots: [slot()] },
    [{ kind: 'redeploy', projectId: 'p' }]
  ],
  ['not while a deployment is on its way', { wanted: [wanted({ isDeploying: true })], slots: [slot()] }, []],
  ['not a second time', { wanted: [wanted({ knownStatus: 'missing' })], slots: [slot()] }, []],
  ['not when it is stopped on purpose', { wanted: [wanted({ shouldRun: false })], slots: [slot()] }, []],
  [
    'what should run is started',
    { wanted: [wanted()], found: [found('exited')], slots: [slot()] },
    [{ kind: 'start', projectId: 'p', containerId: 'c' }]
  ],
  [
    'what should not run is stopped',
    { wanted: [wanted({ shouldRun: false })], found: [found()], slots: [slot()] },
    [{ kind: 'stop', projectId: 'p', containerId: 'c' }]
  ],
  [
    'a crash loop is recorded, not started again',
    { wanted: [wanted()], found: [found('restarting')], slots: [slot()] },
    [{ kind: 'record-status', projectId: 'p', containerId: 'c', status: 'restarting' }]
  ]
])('%s', (_name, facts, repairs) => {
  expect(
    planRepairs({
      wanted: facts.wanted ?? [],
      found: facts.found ?? [],
      slots: facts.slots ?? [],
      openDeployments: new Set(facts.open ?? []),
      openProjects: new Set(facts.openProjects ?? [])
    })
  ).toEqual(repairs)
})

test.each([
  ['own', { name: 'a', id: '1' }, 'a'],
  ['shared', { name: 's', id: '3' }, undefined],
  ['lost', undefined, 'a'],
  ['lost', undefined, undefined],
  ['lost', { name: 'a', id: '0' }, 'a'],
  ['lost', { name: 'b', id: '2' }, 'a'],
  ['lost', { name: 'gone', id: '4' }, undefined]
] as const)('%s: attached to %j, reserved on %s', (expected, attached, reserved) => {
  const networks = [
    { name: 'a', id: '1' },
    { name: 'b', id: '2' },
    { name: 's', id: '3' }
  ]
  expect(placeOf(attached, reserved, networks)).toBe(expected)
})
