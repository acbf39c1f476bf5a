import { expect, test } from 'vitest'
import { withResolvers } from '../../test/support/with-resolvers.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'

test('refuses a second run per key and any beyond the total, and frees finished runs', async () => {
  const limit = createConcurrencyLimit({ total: 2, perKey: 1, what: 'calls' })
  const { promise, resolve } = withResolvers()
  const [a, b] = [limit.run('a', () => promise), limit.run('b', () => promise)]
  await expect(limit.run('a', async () => {})).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Too many concurrent calls. Wait for one to finish.'
  })
  await expect(limit.run('c', async () => {})).rejects.toMatchObject({ code: 'BUSY' })
  resolve()
  await Promise.all([a, b])
  await expect(limit.run('a', async () => 'again')).resolves.toBe('again')
  await expect(limit.run('a', () => Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  await expect(limit.run('a', async () => 'free')).resolves.toBe('free')
})
