import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Transaction } from '../db/database.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Feature } from './feature.ts'
import { accountChanged, runEffects } from './hooks.ts'

const trx = {} as Transaction
const depsOf = (features: readonly Feature[]) => ({ features }) as unknown as Dependencies

test('deletion hooks run in reverse feature order, all others in feature order', async () => {
  const requested: string[] = []
  const hooksOf = (name: string): Feature => ({
    name,
    account: {
      suspended: async () => void requested.push(`suspended ${name}`),
      deleted: async () => void requested.push(`deleted ${name}`)
    }
  })
  const deps = depsOf([hooksOf('projects'), { name: 'builds' }, hooksOf('sftp')])
  await accountChanged(deps, trx, 'suspended', 'ann')
  await accountChanged(deps, trx, 'deleted', 'ann')
  expect(requested).toEqual(['suspended projects', 'suspended sftp', 'deleted sftp', 'deleted projects'])
})

test('a rejecting hook stops the remaining hooks and runs no effect', async () => {
  const requested: string[] = []
  const deps = depsOf([
    { name: 'domains', account: { suspended: async () => [async () => requested.push('effect')] } },
    { name: 'files', account: { suspended: () => Promise.reject(new Error('no')) } },
    { name: 'sftp', account: { suspended: async () => void requested.push('sftp') } }
  ])
  await expect(accountChanged(deps, trx, 'suspended', 'ann')).rejects.toThrow('no')
  expect(requested).toEqual([])
})

test('a failing effect is logged with its feature and the others run', async () => {
  const done: string[] = []
  const logged: object[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  await runEffects({ logger }, [
    { feature: 'domains', run: () => Promise.reject(new Error('the proxy is away')) },
    { feature: 'sftp', run: async () => done.push('sftp') }
  ])
  expect(done).toEqual(['sftp'])
  expect(logged).toMatchObject([{ feature: 'domains', error: 'the proxy is away' }])
})
