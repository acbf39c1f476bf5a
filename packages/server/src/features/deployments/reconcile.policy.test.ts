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
  isHome: true,
  instances: 1,
  shouldRun: true,
  isFallingAsleep: false,
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
    'of three instances one was stopped by hand and one removed',
    {
      wanted: [wanted({ instances: 3 })],
      found: [found(), found('exited', { id: 'c2' })],
      slots: [slot(), slot(), slot()]
    },
    [{ kind: 'move', projectId: 'p', deploymentId: 'd' }]
  ],
  [
    'of three instances one was stopped by hand',
    {
      wanted: [wanted({ instances: 3 })],
      found: [found(), found('running', { id: 'c2' }), found('exited', { id: 'c3' })],
      slots: [slot(), slot(), slot()]
    },
    [{ kind: 'start', projectId: 'p', containerId: 'c3' }]
  ],
  [
    'of a machine with further instances one is there and one is not',
    {
      wanted: [wanted({ isHome: false, instances: 2 })],
      found: [found('running', { id: 'c2' })],
      slots: [slot(), slot()]
    },
    [{ kind: 'move', projectId: 'p', deploymentId: 'd' }]
  ],
  [
    'a further instance on another machine than the first one was stopped by hand',
    { wanted: [wanted({ isHome: false })], found: [found('exited', { id: 'c2' })], slots: [slot()] },
    [{ kind: 'start', projectId: 'p', containerId: 'c2' }]
  ],
  [
    'a further instance on another machine runs, and its project is stopped',
    { wanted: [wanted({ isHome: false, shouldRun: false })], found: [found('running', { id: 'c2' })], slots: [slot()] },
    [{ kind: 'stop', projectId: 'p', containerId: 'c2' }]
  ],
  [
    'a further instance lost its network',
    { wanted: [wanted({ isHome: false })], found: [found('exited', { id: 'c2', place: 'lost' })], slots: [slot()] },
    [{ kind: 'move', projectId: 'p', deploymentId: 'd' }]
  ],
  [
    'several instances of an old release retire together',
    { found: [found(), found('running', { id: 'c2' })], slots: [slot({ retired: true }), slot({ retired: true })] },
    [{ kind: 'retire', deploymentId: 'd' }]
  ],
  [
    'a container on the legacy shared network is moved',
    { wanted: [wanted()], found: [found('running', { place: 'shared' })], slots: [slot()] },
    [{ kind: 'move', projectId: 'p', deploymentId: 'd' }]
  ],
  [
    'unless it is stopped: then it is started first',
    { wanted: [wanted()], found: [found('exited', { place: 'shared' })], slots: [slot()] },
    [{ kind: 'start', projectId: 'p', containerId: 'c' }]
  ],
  [
    'a container whose network is gone is moved',
    { wanted: [wanted()], found: [found('exited', { place: 'lost' })], slots: [slot()] },
    [{ kind: 'move', projectId: 'p', deploymentId: 'd' }]
  ],
  [
    'not while a deployment is running',
    { wanted: [wanted({ isDeploying: true })], found: [found('running', { place: 'lost' })], slots: [slot()] },
    []
  ],
  [
    'not if the project is stopped',
    { wanted: [wanted({ shouldRun: false, knownStatus: 'exited' })], found: [found('exited', { place: 'lost' })], slots: [slot()] }, // oxfmt-ignore
    []
  ],
  [
    'a container without a reservation is an orphan',
    { found: [found()] },
    [{ kind: 'remove-container', containerId: 'c' }]
  ],
  ['a container of a running deployment stays', { found: [found('created')], slots: [slot()], open: ['d'] }, []],
  ['so does a container that is being committed to an image', { found: [found('created')], open: ['d'] }, []],
  ['a build step stays', { found: [found('running', { deploymentId: '' })], openProjects: ['p'] }, []],
  [
    'a shared build step stays while any build is running',
    { found: [found('running', { projectId: '', deploymentId: '' })], openProjects: ['p'] },
    []
  ],
  [
    'and is removed when none is',
    { found: [found('running', { projectId: '', deploymentId: '' })] },
    [{ kind: 'remove-container', containerId: 'c' }]
  ],
  [
    'a build step without a deployment is removed',
    { found: [found('running', { deploymentId: '' })], openProjects: ['q'] },
    [{ kind: 'remove-container', containerId: 'c' }]
  ],
  [
    'the reservation of a failed deployment is removed',
    { found: [found()], slots: [slot()] },
    [{ kind: 'remove-slot', deploymentId: 'd' }]
  ],
  [
    'a retired container is drained',
    { wanted: [wanted()], found: [found()], slots: [slot(), slot({ deploymentId: 'old', retired: true })] },
    [{ kind: 'retire', deploymentId: 'old' }]
  ],
  [
    'a removed container is redeployed',
    { wanted: [wanted()], slots: [slot()] },
    [{ kind: 'redeploy', projectId: 'p' }]
  ],
  ['not while another deployment is running', { wanted: [wanted({ isDeploying: true })], slots: [slot()] }, []],
  ['not a second time', { wanted: [wanted({ knownStatus: 'missing' })], slots: [slot()] }, []],
  ['not when it is stopped on purpose', { wanted: [wanted({ shouldRun: false })], slots: [slot()] }, []],
  [
    'a stopped container that should run is started',
    { wanted: [wanted()], found: [found('exited')], slots: [slot()] },
    [{ kind: 'start', projectId: 'p', containerId: 'c' }]
  ],
  [
    'a running container that should not run is stopped',
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
