import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseAdmin } from '../../src/infra/database-admin/database-admin.ts'

interface DatabaseAdminEnvironment {
  admin: DatabaseAdmin
  close(): Promise<void>
}

/** One behaviour, whatever program it is. */
export function describeDatabaseAdmin(name: string, open: () => Promise<DatabaseAdminEnvironment>): void {
  describe(`web administration of databases: ${name}`, () => {
    let environment: DatabaseAdminEnvironment
    beforeAll(async () => {
      environment = await open()
    })
    afterAll(() => environment?.close())

    const signal = new AbortController().signal
    const session = randomBytes(4).toString('hex')
    const ask = (method = 'GET', requested: AbortSignal = signal) =>
      environment.admin.request({
        method,
        path: '/adminer/',
        headers: { 'x-panel-session': session, 'x-panel-user': session },
        body: undefined,
        signal: requested
      })
    const ensure = () => environment.admin.ensure({ log: () => {}, signal })

    test('answers once it is there, and being seen to again changes nothing', async () => {
      await ensure()
      await ensure()
      await expect.poll(async () => (await ask().catch(() => undefined))?.status).toBe(200)
      expect(await text((await ask()).body)).not.toBe('')
    })

    test('to HEAD it sends no body', async () => {
      const answer = await ask('HEAD')
      expect(answer.status).toBe(200)
      expect(await text(answer.body)).toBe('')
    })

    test('a signal that has fired ends a request', async () => {
      await expect(ask('GET', AbortSignal.abort())).rejects.toBeInstanceOf(Error)
    })

    test('is away once it is removed, which may be done twice, and comes back', async () => {
      await environment.admin.remove()
      await environment.admin.remove()
      await expect(ask()).rejects.toMatchObject({ kind: 'database-admin-unavailable' })
      await ensure()
      await expect.poll(async () => (await ask().catch(() => undefined))?.status).toBe(200)
    })
  })
}
