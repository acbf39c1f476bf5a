import { readdir, readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { hashPassword, isOutdated, verifyAgainstNobody, verifyPassword } from './password.service.ts'

const deps = { config: parseConfig({ SESSION_SECRET: '0123456789abcdef'.repeat(2) }) }

test('a password is kept as Argon2id with the recommended cost, and known again', async () => {
  const kept = await hashPassword(deps, 'a', 'correct horse battery')
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hashPassword(deps, 'a', 'correct horse battery')).not.toBe(kept)
  expect(await verifyPassword('a', kept, 'correct horse battery')).toBe(true)
  expect(await verifyPassword('a', kept, 'correct horse batter')).toBe(false)
  expect(await verifyAgainstNobody('a', '{"m":64,"t":1}', [deps.config.PASSWORD_HASH, { m: 64, t: 1 }])).toBe(false)
})

test('another cost counts for what is hashed from then on', async () => {
  const dear = { config: parseConfig({ SESSION_SECRET: '0123456789abcdef'.repeat(2), PASSWORD_HASH: 'm=20480,t=3' }) }
  const kept = await hashPassword(deps, 'a', 'a password')
  expect([isOutdated(deps, kept), isOutdated(dear, kept)]).toEqual([false, true])
  const anew = await hashPassword(dear, 'a', 'a password')
  expect(anew).toMatch(/^\$argon2id\$v=19\$m=20480,t=3,p=1\$/)
  expect(await verifyPassword('a', anew, 'a password')).toBe(true)
})

test('an invalid hash is an error and does not block the next request', async () => {
  await expect(verifyPassword('a', 'no hash', 'a password')).rejects.toThrow()
  expect(await hashPassword(deps, 'b', 'a password')).toContain('$argon2id$')
})

test('what hashes gives way to what answers', async () => {
  const own = getPriority()
  const hashing = hashPassword(deps, 'a', 'a password')
  await expect.poll(niceOfThreads, { timeout: 30_000 }).toContain(Math.max(own, 10))
  await hashing
  expect(getPriority()).toBe(own)
})

/** proc(5), /proc/pid/stat: the 17th field after the name in parentheses. */
async function niceOfThreads(): Promise<number[]> {
  const stats = (await readdir('/proc/self/task')).map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8'))
  return (await Promise.all(stats)).map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
}
