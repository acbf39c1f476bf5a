import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { sessionAccess } from './access.ts'
import { addOwnership } from './ownership.ts'

const owners = { '/api/shops/:id': async () => {}, '/api/shops/:id/orders/:orderId': async () => {} }

test.each([
  ['/api/shops/:id', true],
  ['/api/shops/:id/orders/:orderId/cancel', true],
  ['/api/shops/:id/shelves/:name', true],
  ['/api/shops/:id/clerks/:clerkId', false],
  ['/api/streets/:id', false]
])('%s may be served: %s', async (url, isKnown) => {
  const app = Fastify()
  addOwnership(app, owners)
  const register = async () => {
    app.post(url, { config: { access: sessionAccess } }, async () => '')
    await app.ready()
  }
  if (isKnown) await register()
  else await expect(register()).rejects.toThrow(`POST ${url} has an id, but no feature declares its owner`)
  await app.close()
})
