import { expect, test } from 'vitest'
import { routeOf } from './route.policy.ts'
import type { ProjectFacts, RouteFacts } from './routes.repository.ts'

const slot = { nodeId: 'here', port: 8100, address: '10.0.0.8', containerPort: 3000 }
const endpoint = { address: '10.0.0.8', port: 3000 }
const project: ProjectFacts = { id: 'shop', status: 'ACTIVE', slot, isDeploying: false }
const facts: RouteFacts = {
  hostname: 'shop.example.com',
  pathPrefix: null,
  project,
  isMailHost: false,
  forceHttps: false
}

test.each<[string, Partial<ProjectFacts>, object]>([
  ['a container that serves', {}, { kind: 'container', address: '10.0.0.8', port: 3000 }],
  [
    'also while the next one is on its way',
    { isDeploying: true },
    { kind: 'container', address: '10.0.0.8', port: 3000 }
  ],
  ['a project that is stopped', { status: 'STOPPED' }, { kind: 'stopped' }],
  ['nothing deployed', { slot: null }, { kind: 'stopped' }],
  ['a first deployment on its way', { slot: null, isDeploying: true }, { kind: 'starting' }]
])('%s', (_name, values, target) => {
  const changed = { ...project, ...values }
  expect(routeOf({ ...facts, project: changed }, changed.slot ? endpoint : undefined)).toEqual({
    hostname: facts.hostname,
    target,
    forceHttps: false,
    site: 'shop'
  })
})

test('a verified domain without a project holds its name', () => {
  expect(routeOf({ ...facts, project: null }, undefined).target).toEqual({ kind: 'nothing' })
})

test('one of the panel’s for mail leads to what of the panel is for mail, unless it has a project', () => {
  const target = (project: ProjectFacts | null) =>
    routeOf({ ...facts, project, isMailHost: true }, project ? endpoint : undefined).target.kind
  expect([target(null), target(project)]).toEqual(['mail', 'container'])
})

test('path prefix and forced HTTPS go with the route', () => {
  const route = routeOf({ ...facts, pathPrefix: '/app', forceHttps: true }, endpoint)
  expect(route).toMatchObject({ pathPrefix: '/app', forceHttps: true })
})
