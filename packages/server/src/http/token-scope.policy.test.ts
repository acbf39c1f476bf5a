import { expect, test } from 'vitest'
import { type RouteScope, routeScope, scopeSuffices } from './token-scope.policy.ts'

test.each<[string, string, RouteScope | undefined, RouteScope]>([
  ['GET', '/api/projects', undefined, 'read'],
  ['HEAD', '/api/projects/:id', undefined, 'read'],
  ['POST', '/api/projects', undefined, 'full'],
  ['DELETE', '/api/projects/:id', undefined, 'full'],
  ['POST', '/api/projects/:id/build', 'deploy', 'deploy'],
  ['GET', '/api/projects/:id/env/:key/reveal', 'full', 'full'],
  ['GET', '/api/auth/me', undefined, 'read'],
  ['GET', '/api/auth/tokens', undefined, 'session'],
  ['GET', '/api/auth/me/anything', undefined, 'session'],
  ['POST', '/api/auth/change-password', undefined, 'session'],
  ['POST', '/api/auth/2fa/disable', undefined, 'session'],
  ['POST', '/api/auth/2fa/recovery-codes', undefined, 'session'],
  ['DELETE', '/api/auth/sessions/:sessionId', undefined, 'session'],
  ['POST', '/api/users/:id/2fa/reset', undefined, 'session'],
  ['DELETE', '/api/users/:id/sessions', undefined, 'session'],
  ['PATCH', '/api/users/:id/role', undefined, 'full']
])('scope of %s %s', (method, url, own, scope) => expect(routeScope(method, url, own)).toBe(scope))

test.each([
  ['read', 'read', true],
  ['read', 'deploy', false],
  ['deploy', 'read', true],
  ['deploy', 'deploy', true],
  ['deploy', 'full', false],
  ['full', 'deploy', true],
  ['full', 'full', true],
  ['full', 'session', false]
] as const)('%s suffices for %s: %s', (held, requested, expected) =>
  expect(scopeSuffices(held, requested)).toBe(expected)
)
