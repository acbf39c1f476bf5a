import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { dkimVerify } from 'mailauth'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogInPolicy } from '../../packages/server/src/features/mail-limits/log-ins.service.ts'
import { signal } from '../../packages/server/src/infra/process/signal.ts'
import { startProgram, stopProgram } from '../../packages/server/src/programs/lifecycle.ts'
import { postsrsdProgram } from '../../packages/server/src/programs/postsrsd.ts'
import { createMemoryFailedLogIns } from '../../packages/server/test/fakes/memory-failed-log-ins.ts'
import { pause } from '../support/processes.ts'
import {
  eventually,
  forwardingSecrets,
  openImap,
  openSmtp,
  password,
  policyKey,
  readInbox,
  send,
  servedDomain,
  startTestMail,
  type TestMail
} from './servers.harness.ts'

/** What Postfix and Dovecot are connected to: the rewriter of forwarded mail, the panel that sends, and its policy for logins. */
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
  await mail.server.putDomain(
    await servedDomain('shop.test', ['ann', 'bob'], {
      aliases: [
        { localPart: 'both', targets: ['bob@shop.test', 'friend@far.example'] },
        { localPart: 'partner', targets: ['friend@far.example'] }
      ]
    })
  )
})
afterAll(() => mail?.close())

const log = () => readFile(mail.paths.postfix.mailLog, 'utf8')
const sendersSince = async (start: number) =>
  [...(await log()).slice(start).matchAll(/qmgr\[\d+\]: (\w+): from=<(.*?)>, size/g)].map(([, , sender]) => sender!)
const srsOf = (sender: string) => {
  const [localPart, domain] = sender.split('@')
  return new RegExp(`^SRS0=[\\w+/]{4}=[A-Z2-7]{2}=${domain}=${localPart!.replace('+', '\\+')}@mail\\.panel\\.test$`)
}
const deliver = (from: string, to: string | string[], more: Partial<Parameters<typeof send>[0]> = {}) =>
  send({ port: mail.ports.smtp, from, to, ...more })
const isQueued = async (sender: string) =>
  (await mail.queue.list(100)).messages.some((one) => one.sender === sender && one.queue === 'deferred')
const arrival = (subject: string) =>
  eventually(async () => (await readInbox(mail.ports.imaps, 'bob@shop.test')).find((text) => text.includes(subject)))
const forward = async (from: string): Promise<string> => {
  const start = (await log()).length
  expect(await deliver(from, 'partner@shop.test')).toMatchObject({ code: 250 })
  return eventually(async () => (await sendersSince(start)).find((sender) => srsOf(from).test(sender)))
}
const nameRecipient = async (to: string) => {
  const { say, close } = await openSmtp(mail.ports.smtp)
  await say('MAIL FROM:<>')
  const answer = await say(`RCPT TO:<${to}>`)
  close()
  return answer
}

test('mail forwarded to another server has an SRS sender; local mail is unchanged', async () => {
  const start = (await log()).length
  expect(await deliver('someone@elsewhere.example', 'both@shop.test', { subject: 'for both' })).toMatchObject({
    code: 250
  })
  const message = await arrival('for both')
  expect(message).toContain('Return-Path: <someone@elsewhere.example>')
  expect(message).toMatch(/^Received: from client\.example \(.*\[127\.0\.0\.1\]\)/m)
  await eventually(async () =>
    (await sendersSince(start)).some((each) => srsOf('someone@elsewhere.example').test(each))
  )
})

test.each([
  ['ann@shop.test', 'ann@shop.test'],
  ['', undefined]
])('a message of %j is forwarded unchanged', async (from, as) => {
  const start = (await log()).length
  const port = as === undefined ? mail.ports.smtp : mail.ports.submission
  expect(await send({ port, ...(as === undefined ? {} : { as }), from, to: 'partner@shop.test' })).toMatchObject({
    code: 250
  })
  await eventually(async () => /to=<friend@far\.example>/.test((await log()).slice(start)))
  // A bounce of the test before may be queued meanwhile.
  expect(await sendersSince(start)).toContain(from)
  expect((await log()).slice(start)).not.toContain('postfix/forward/')
})

describe('a bounce to an SRS address', () => {
  test('is accepted and delivered to the original sender', async () => {
    const address = await forward('Some.One+tag@elsewhere.example')
    const start = (await log()).length
    expect(await deliver('', address)).toMatchObject({ code: 250 })
    await eventually(async () =>
      (await log()).slice(start).includes(`to=<Some.One+tag@elsewhere.example>, orig_to=<${address}>`)
    )
  })

  test('with a forged hash or of another domain is refused', async () => {
    const address = await forward('victim@elsewhere.example')
    expect(await nameRecipient(address)).toMatch(/^250 /)
    const hash = /^SRS0=(.{4})/.exec(address)![1]!
    const other = [...hash].toReversed().join('') === hash ? 'AAAA' : [...hash].toReversed().join('')
    expect(await nameRecipient(address.replace(hash, other))).toMatch(/^550 5\.1\.1 /)
    expect(await nameRecipient(address.replace('victim', 'another'))).toMatch(/^550 5\.1\.1 /)
    expect(await nameRecipient(address.replace('mail.panel.test', 'shop.test'))).toMatch(/^550 5\.1\.1 /)
  })
})

test('the second-pass port accepts only our mail', async () => {
  const { say, close } = await openSmtp(mail.ports.forward)
  expect(await say('MAIL FROM:<a@b.example>')).toMatch(/^530 5\.7\.0 /)
  close()
  const sent = await send({ port: mail.ports.forward, from: 'a@b.example', to: 'c@d.example' })
  expect(sent.code).toBe(554)
})

describe('postsrsd', () => {
  const postsrsd = () => mail.programs.postsrsd()
  const find = () => postsrsd().find()

  test('down: forwarded mail waits, other mail continues, and it leaves later', async () => {
    const known = await forward('known@elsewhere.example')
    await stopProgram(postsrsd())
    const from = 'waits@elsewhere.example'
    expect(await deliver(from, 'both@shop.test', { subject: 'while it is away' })).toMatchObject({ code: 250 })
    await arrival('while it is away')
    await eventually(() => isQueued(from))
    expect(await nameRecipient(known)).toMatch(/^451 4\.3\.0 /)
    await expect(mail.server.ping('rewriter')).rejects.toThrow()
    expect(await startProgram(postsrsd())).toMatchObject({ outcome: 'started' })
    await mail.server.ping('rewriter')
    const start = (await log()).length
    await eventually(async () => {
      await mail.queue.flushAll()
      return (await sendersSince(start)).some((sender) => srsOf(from).test(sender))
    })
    await eventually(async () => !(await isQueued(from)))
  })

  test('is adopted, and a new configuration replaces it', async () => {
    const { main } = await find()
    expect(await startProgram(postsrsd())).toMatchObject({ outcome: 'adopted', pid: main })
    const other = () => postsrsdProgram({ ...mail.options, hostname: 'other.panel.test', secrets: forwardingSecrets })
    expect(await startProgram(other())).toMatchObject({ outcome: 'restarted' })
    expect(await startProgram(postsrsd())).toMatchObject({ outcome: 'restarted' })
  })

  test('accepts addresses of its previous secret', async () => {
    const address = await forward('before@elsewhere.example')
    const newer = randomBytes(24).toString('hex')
    const withSecrets = (...secrets: string[]) => postsrsdProgram({ ...mail.options, secrets })
    expect(await startProgram(withSecrets(newer, ...forwardingSecrets))).toMatchObject({ outcome: 'restarted' })
    const next = await forward('before@elsewhere.example')
    expect([next === address, await nameRecipient(address), await nameRecipient(next)]).toEqual([
      false,
      expect.stringMatching(/^250 /),
      expect.stringMatching(/^250 /)
    ])
    await startProgram(withSecrets(newer))
    expect([await nameRecipient(address), await nameRecipient(next)]).toEqual([
      expect.stringMatching(/^550 /),
      expect.stringMatching(/^250 /)
    ])
    await startProgram(postsrsd())
  })

  test('is restarted after a kill or stop signal', async () => {
    for (const end of [(pid: number) => Promise.resolve(signal(pid, 'SIGKILL')), pause]) {
      const { main } = await find()
      await end(main!)
      const { outcome, pid } = await startProgram(postsrsd())
      expect([outcome, pid === main]).toEqual(['started', false])
      await forward('again@elsewhere.example')
    }
  })

  test('keeps its secrets private', async () => {
    for (const pid of (await find()).all)
      expect(await readFile(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(forwardingSecrets[0])
    const status = await readFile(`/proc/${(await find()).main!}/status`, 'utf8')
    expect(status).toMatch(/^CapPrm:\t0+$/m)
    expect(status).not.toMatch(/^Uid:\t0\t/m)
  })

  test('an occupied port is reported', async () => {
    await stopProgram(postsrsd())
    const taken = createServer().listen(mail.ports.srs, '127.0.0.1')
    await once(taken, 'listening')
    await expect(startProgram(postsrsd())).rejects.toThrow(`port ${mail.ports.srs}: Address already in use`)
    taken.close()
    await once(taken, 'close')
    expect(await startProgram(postsrsd())).toMatchObject({ outcome: 'started' })
  })
})

describe('a message of the panel', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  beforeAll(async () => {
    const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await mail.signer.putKeys({ domain: 'shop.test', signsWith: 's1', keys: [{ selector: 's1', privateKey }] })
  })
  const message = (subject: string, from = 'ann@shop.test') =>
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
      sender: 'ann@shop.test',
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
      from: 'ann@shop.test',
      to: 'bob@shop.test',
      subject: 'forged',
      plain: true
    })
    expect(sent.code).toBe(250)
    expect(await signatures(await arrived('forged'))).toEqual([['none', undefined]])
  })

  test('refused by Postfix or with Postfix down is an error', async () => {
    const given = { sender: 'ann@shop.test', recipient: 'not an address', message: message('x') }
    await expect(mail.server.submit(given)).rejects.toMatchObject({ kind: 'mail-server-unavailable' })
    await stopProgram(mail.programs.postfix())
    await expect(mail.server.submit({ ...given, recipient: 'bob@shop.test' })).rejects.toMatchObject({
      kind: 'mail-server-unavailable'
    })
    await startProgram(mail.programs.postfix())
  })
})

describe('logins', () => {
  const ann = 'ann@one.test'
  beforeAll(async () => mail.server.putDomain(await servedDomain('one.test', ['ann', 'ben'])))
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
})
