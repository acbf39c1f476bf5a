import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogInPolicy } from '../../packages/server/src/features/mail-limits/log-ins.service.ts'
import { createMemoryFailedLogIns } from '../../packages/server/test/fakes/memory-failed-log-ins.ts'
import { openImap, password, policyKey, send, servedDomain, startTestMail, type TestMail } from './servers.harness.ts'

const ann = 'ann@one.test'
let mail: TestMail
beforeAll(async () => {
  mail = await startTestMail({
    policy: (mailServer) =>
      createLogInPolicy({
        mailServer,
        failedLogIns: createMemoryFailedLogIns(),
        logger: pino({ level: 'silent' }),
        now: () => new Date()
      })
  })
  await mail.server.putDomain(await servedDomain('one.test', ['ann', 'ben']))
})
afterAll(() => mail?.close())

const isLetIn = (user: string, pass: string, localAddress: string) =>
  openImap(mail.ports.imaps, user, pass, { tls: { rejectUnauthorized: false, localAddress } }).then(
    async (client) => client.logout().then(() => true),
    () => false
  )
const allIn = (tries: readonly Promise<boolean>[]) => Promise.all(tries)
const numbered = (count: number) => Array.from({ length: count }, (_, index) => index)

test('an old password on a phone does not lock the user out', async () => {
  await allIn(numbered(20).map(() => isLetIn(ann, 'the old one', '127.0.0.2')))
  expect(await isLetIn(ann, password, '127.0.0.2')).toBe(true)
})

test('guessing is blocked for IMAP and SMTP; others are not affected', async () => {
  await allIn(numbered(10).map((index) => isLetIn(ann, `guess ${index}`, '127.0.0.3')))
  expect(await isLetIn(ann, password, '127.0.0.3')).toBe(false)
  const sending = { port: mail.ports.submission, as: ann, from: ann, to: 'ben@one.test' }
  expect(await send({ ...sending, localAddress: '127.0.0.3' })).toMatchObject({ code: 535 })
  expect(await send({ ...sending, localAddress: '127.0.0.4' })).toMatchObject({ code: 250 })
  expect(await allIn([isLetIn(ann, password, '127.0.0.4'), isLetIn('ben@one.test', password, '127.0.0.3')])).toEqual([
    true,
    true
  ])
})

test('password spraying blocks its network, but not known clients there', async () => {
  expect(await isLetIn('ben@one.test', password, '127.0.0.5')).toBe(true)
  await allIn(numbered(100).map((index) => isLetIn(`user${index}@one.test`, 'Summer2026', '127.0.0.5')))
  expect(await isLetIn(ann, password, '127.0.0.5')).toBe(false)
  expect(await isLetIn('ben@one.test', password, '127.0.0.5')).toBe(true)
})

test('requests without the key get no response', async () => {
  const ask = (headers: Record<string, string>, command = 'allow') =>
    fetch(`http://127.0.0.1:${mail.ports.policy}/?command=${command}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        login: 'ben@one.test',
        remote: '127.0.0.6',
        pwhash: String(Math.random()),
        success: false
      })
    })
  for (let times = 0; times < 20; times++) expect((await ask({ 'x-panel-key': 'guess' }, 'report')).status).toBe(403)
  expect((await ask({})).status).toBe(403)
  expect(await (await ask({ 'x-panel-key': policyKey })).json()).toEqual({ status: 0, msg: '' })
})

test('while the panel is down, correct passwords work', async () => {
  await mail.policy.close()
  expect(await isLetIn(ann, password, '127.0.0.3')).toBe(true)
  expect(await isLetIn(ann, 'a wrong one', '127.0.0.3')).toBe(false)
})
