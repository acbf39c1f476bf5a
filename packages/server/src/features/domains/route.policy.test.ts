import { expect, test } from 'vitest'
import { routeOf } from './route.policy.ts'
import type { ProjectFacts, RouteFacts } from './routes.repository.ts'

const slot = { nodeId: 'here', port: 8100, address: '10.0.0.8', containerPort: 3000 }
const endpoint = { address: '10.0.0.8', port: 3000 }
const project: ProjectFacts = { id: 'shop', status: 'ACTIVE', slot, pool: null, isDeploying: false, isAsleep: false }
const facts: RouteFacts = {
  hostname: 'shop.example.com',
  pathPrefix: null,
  project,
  isMailHost: false,
  rules: null,
  forceHttps: false
}

test.each<[string, Partial<ProjectFacts>, object]>([
  ['a live container', {}, { kind: 'container', address: '10.0.0.8', port: 3000 }],
  [
    'a live container during a deployment',
    { isDeploying: true },
    { kind: 'container', address: '10.0.0.8', port: 3000 }
  ],
  [
    'several instances',
    { pool: { number: 3, isSticky: true, slots: [slot, slot] } },
    { kind: 'pool', number: 3, isSticky: true }
  ],
  ['a stopped project', { status: 'STOPPED' }, { kind: 'stopped' }],
  ['nothing deployed', { slot: null }, { kind: 'stopped' }],
  ['a first deployment in progress', { slot: null, isDeploying: true }, { kind: 'starting' }]
])('%s', (_name, values, target) => {
  const changed = { ...project, ...values }
  expect(routeOf({ ...facts, project: changed }, changed.slot ? endpoint : undefined)).toEqual({
    hostname: facts.hostname,
    target,
    forceHttps: false,
    site: 'shop'
  })
})

test('a verified domain without a project reserves its hostname', () => {
  expect(routeOf({ ...facts, project: null }, undefined).target).toEqual({ kind: 'nothing' })
})

test("a mail host routes to the panel's mail endpoint unless it has a project", () => {
  const target = (project: ProjectFacts | null) =>
    routeOf({ ...facts, project, isMailHost: true }, project ? endpoint : undefined).target.kind
  expect([target(null), target(project)]).toEqual(['mail', 'container'])
})

test('keeps path prefix and HTTPS-only', () => {
  const route = routeOf({ ...facts, pathPrefix: '/app', forceHttps: true }, endpoint)
  expect(route).toMatchObject({ pathPrefix: '/app', forceHttps: true })
})
