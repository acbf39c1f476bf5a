import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseAdmin } from '../../src/infra/database-admin/database-admin.ts'

interface DatabaseAdminEnvironment {
  admin: DatabaseAdmin
  close(): Promise<void>
}

/** Contract of every DatabaseAdmin. */
export function describeDatabaseAdmin(name: string, open: () => Promise<DatabaseAdminEnvironment>): void {
  describe(`database administration: ${name}`, () => {
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

    test('responds once available; repeating ensure changes nothing', async () => {
      await ensure()
      await ensure()
      await expect.poll(async () => (await ask().catch(() => undefined))?.status).toBe(200)
      expect(await text((await ask()).body)).not.toBe('')
    })

    test('HEAD has no body', async () => {
      const answer = await ask('HEAD')
      expect(answer.status).toBe(200)
      expect(await text(answer.body)).toBe('')
    })

    test('an aborted signal ends a request', async () => {
      await expect(ask('GET', AbortSignal.abort())).rejects.toBeInstanceOf(Error)
    })

    test('can be removed twice and started again', async () => {
      await environment.admin.remove()
      await environment.admin.remove()
      await expect(ask()).rejects.toMatchObject({ kind: 'database-admin-unavailable' })
      await ensure()
      await expect.poll(async () => (await ask().catch(() => undefined))?.status).toBe(200)
    })
  })
}
