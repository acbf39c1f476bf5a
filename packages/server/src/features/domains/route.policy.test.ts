import { expect, test } from 'vitest'
import type { HostnameFacts } from './host-names.repository.ts'
import { routeOf } from './route.policy.ts'

const facts: HostnameFacts = {
  hostname: 'shop.apps.localhost',
  projectStatus: 'ACTIVE',
  slotPort: 8100,
  containerPort: 3000,
  isDeploying: false
}

test.each<[string, Partial<HostnameFacts>, object]>([
  ['a container that serves', {}, { kind: 'container', address: '10.0.0.8100', port: 3000 }],
  [
    'also while the next one is on its way',
    { isDeploying: true },
    { kind: 'container', address: '10.0.0.8100', port: 3000 }
  ],
  ['a project that is stopped', { projectStatus: 'STOPPED' }, { kind: 'stopped' }],
  ['nothing deployed', { slotPort: null, containerPort: null }, { kind: 'stopped' }],
  ['a first deployment on its way', { slotPort: null, containerPort: null, isDeploying: true }, { kind: 'starting' }]
])('%s', (_name, values, target) => {
  expect(routeOf({ ...facts, ...values }, (port) => `10.0.0.${port}`)).toEqual({
    hostname: facts.hostname,
    target,
    forceHttps: false
  })
})
