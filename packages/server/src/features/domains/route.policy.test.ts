import { expect, test } from 'vitest'
import { routeOf } from './route.policy.ts'
import type { ProjectFacts, RouteFacts } from './routes.repository.ts'

const project: ProjectFacts = { status: 'ACTIVE', slotPort: 8100, containerPort: 3000, isDeploying: false }
const facts: RouteFacts = { hostname: 'shop.example.com', pathPrefix: null, project, forceHttps: false }
const addressOf = (port: number) => `10.0.0.${port}`

test.each<[string, Partial<ProjectFacts>, object]>([
  ['a container that serves', {}, { kind: 'container', address: '10.0.0.8100', port: 3000 }],
  [
    'also while the next one is on its way',
    { isDeploying: true },
    { kind: 'container', address: '10.0.0.8100', port: 3000 }
  ],
  ['a project that is stopped', { status: 'STOPPED' }, { kind: 'stopped' }],
  ['nothing deployed', { slotPort: null, containerPort: null }, { kind: 'stopped' }],
  ['a first deployment on its way', { slotPort: null, containerPort: null, isDeploying: true }, { kind: 'starting' }]
])('%s', (_name, values, target) => {
  expect(routeOf({ ...facts, project: { ...project, ...values } }, addressOf)).toEqual({
    hostname: facts.hostname,
    target,
    forceHttps: false
  })
})

test('a verified domain without a project holds its name', () => {
  expect(routeOf({ ...facts, project: null }, addressOf).target).toEqual({ kind: 'nothing' })
})

test('path prefix and forced HTTPS go with the route', () => {
  const route = routeOf({ ...facts, pathPrefix: '/app', forceHttps: true }, addressOf)
  expect(route).toMatchObject({ pathPrefix: '/app', forceHttps: true })
})
