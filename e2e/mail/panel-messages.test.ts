import { generateKeyPairSync } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { dkimVerify } from 'mailauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopProgram } from '../../packages/server/src/programs/lifecycle.ts'
import { eventually, readInbox, send, servedDomain, startTestMail, type TestMail } from './servers.harness.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
let mail: TestMail
beforeAll(async () => {
  mail = await startTestMail()
  await mail.server.putDomain(await servedDomain('shop.test', ['alice', 'bob']))
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await mail.signer.putKeys({ domain: 'shop.test', signsWith: 's1', keys: [{ selector: 's1', privateKey }] })
})
afterAll(() => mail?.close())

const message = (subject: string, from = 'alice@shop.test') =>
  `From: <${from}>\r\nTo: <bob@shop.test>\r\nSubject: ${subject}\r\nDate: Mon, 23 Nov 2026 04:00:00 +0000\r\nMessage-ID: <${subject}@shop.test>\r\n\r\nhello\r\n`
const arrived = (subject: string) =>
  eventually(async () =>
    (await readInbox(mail.ports.imaps, 'bob@shop.test')).find((text) => text.includes(`Subject: ${subject}\r\n`))
  )
const signatures = async (text: string) => {
  const resolver = async () => [[`v=DKIM1; k=rsa; p=${publicKey}`]]
  const { results } = await dkimVerify(Buffer.from(text, 'latin1'), { resolver })
  return results.map(({ status, signingDomain }) => [status.result, signingDomain])
}

test('of a mailbox is signed like its owner’s mail and has a queue id', async () => {
  const id = await mail.server.submit({
    sender: 'alice@shop.test',
    recipient: 'bob@shop.test',
    message: message('own')
  })
  expect(id).toMatch(/^\w{10,}$/)
  expect(await signatures(await arrived('own'))).toEqual([['pass', 'shop.test']])
})

test('of an address without a key is sent unsigned', async () => {
  await mail.server.submit({
    sender: '',
    recipient: 'bob@shop.test',
    message: message('nobody', 'delivery-test@mail.panel.test')
  })
  expect(await signatures(await arrived('nobody'))).toEqual([['none', undefined]])
})

test('uses a socket private to root and Postfix, which gives no one else a signature', async () => {
  const { mode } = await stat(dirname(mail.paths.postfix.submissions))
  expect(mode & 0o077).toBe(0)
  const sent = await send({
    port: mail.ports.smtp,
    from: 'alice@shop.test',
    to: 'bob@shop.test',
    subject: 'forged',
    plain: true
  })
  expect(sent.code).toBe(250)
  expect(await signatures(await arrived('forged'))).toEqual([['none', undefined]])
})

test('refused by Postfix or with Postfix down is an error', async () => {
  const given = { sender: 'alice@shop.test', recipient: 'not an address', message: message('x') }
  await expect(mail.server.submit(given)).rejects.toMatchObject({ kind: 'mail-server-unavailable' })
  await stopProgram(mail.programs.postfix())
  await expect(mail.server.submit({ ...given, recipient: 'bob@shop.test' })).rejects.toMatchObject({
    kind: 'mail-server-unavailable'
  })
})
