import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  serveReplyPolicy,
  serveSendingPolicy
} from '../../packages/server/src/infra/mail-server/sending-policy-server.ts'
import type { SendingRequest } from '../../packages/server/src/infra/mail-server/sending-request.ts'
import { createMailCertificates } from '../../packages/server/src/infra/mail-server/served-mail-certificates.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { signal } from '../../packages/server/src/infra/process/signal.ts'
import { readCertificate } from '../../packages/server/src/infra/x509/certificate.ts'
import { createSelfSigned } from '../../packages/server/src/infra/x509/self-signed.ts'
import { startProgram, stopProgram } from '../../packages/server/src/programs/lifecycle.ts'
import { describeMailQueue } from '../../packages/server/test/contracts/mail-queue.contract.ts'
import { describeMailServer } from '../../packages/server/test/contracts/mail-server.contract.ts'
import { describeMailSigner, makeKey } from '../../packages/server/test/contracts/mail-signer.contract.ts'
import {
  canLogIn,
  eventually,
  mailbox,
  openImap,
  openSmtp,
  password,
  readInbox,
  send,
  servedDomain,
  startTestMail,
  type TestMail
} from './servers.harness.ts'
import { authenticate, manageSieve, putting } from '../support/manage-sieve.ts'
import { pause } from '../support/processes.ts'

let mail: TestMail
beforeAll(async () => {
  mail = await startTestMail()
})
afterAll(() => mail?.close())

const countOn = async (address: string): Promise<number> => {
  const [localPart, domain] = address.split('@')
  const maildir = join(mail.paths.mail, domain!, localPart!, 'Maildir')
  const names = await Promise.all(['new', 'cur'].map((folder) => readdir(join(maildir, folder)).catch(() => [])))
  return names.flat().length
}
const sieve = (user: string | undefined, ...commands: readonly string[]) =>
  manageSieve(mail.ports.managesieve, user, ...commands)
const putScript = async (user: string, script: string) => (await sieve(user, putting(script)))[0]!
const isQueueEmpty = async () => (await mail.queue.list(1)).messages.length === 0

describeMailServer('Dovecot and Postfix', async () => ({
  server: mail.server,
  async deliver(address) {
    const { code } = await send({ port: mail.ports.smtp, from: 'someone@elsewhere.example', to: address })
    if (code === 250) await eventually(isQueueEmpty)
    return code === 250 ? 'taken' : code >= 500 ? 'refused' : 'later'
  },
  count: countOn,
  close: async () => {}
}))

describeMailSigner('OpenDKIM', async () => ({ signer: mail.signer, close: async () => {} }))

describeMailQueue('Postfix', async () => {
  await mail.server.putDomain(
    await servedDomain('one.test', ['ann', 'ben'], { aliases: [{ localPart: 'on', targets: ['eve@asleep.test'] }] })
  )
  await mail.server.putDomain(await servedDomain('asleep.test', ['eve'], { isSuspended: true }))
  return {
    queue: mail.queue,
    async enqueue(sender) {
      const { code, text } = await send({ port: mail.ports.submission, as: sender, from: sender, to: 'on@one.test' })
      if (code !== 250) throw new Error(text)
      await eventually(async () =>
        (await mail.queue.list(100)).messages.some((one) => one.sender === sender && one.queue === 'deferred')
      )
    },
    async close() {
      for (const { id } of (await mail.queue.list(100)).messages) await mail.queue.delete(id)
    }
  }
})

describe('mail', () => {
  const { privateKey, publicKey } = makeKey()
  beforeAll(async () => {
    await mail.server.putDomain(
      await servedDomain('shop.test', ['alice', 'bob', 'zoe'], {
        aliases: [
          { localPart: 'sales', targets: ['alice@shop.test'], senders: ['alice@shop.test'] },
          {
            localPart: 'team',
            targets: ['alice@shop.test', 'bob@shop.test'],
            senders: ['alice@shop.test', 'bob@shop.test']
          },
          { localPart: 'bob', targets: ['dave@rival.test'] },
          { localPart: 'partner', targets: ['dave@rival.test'] }
        ],
        mailboxes: [
          await mailbox('alice'),
          await mailbox('bob'),
          await mailbox('small', { quotaMb: 1 }),
          await mailbox('mute', { mayLogIn: false })
        ]
      })
    )
    await mail.server.putDomain(
      await servedDomain('rival.test', ['dave'], {
        aliases: [{ localPart: undefined, targets: ['dave@rival.test'], senders: ['dave@rival.test'] }]
      })
    )
    await mail.server.putDomain(await servedDomain('asleep.test', ['eve'], { isSuspended: true }))
    for (const domain of ['shop.test', 'rival.test'])
      await mail.signer.putKeys({ domain, signsWith: 's1', keys: [{ selector: 's1', privateKey }] })
  })

  const verify = async (message: string) => {
    const requested: string[] = []
    const resolver = async (name: string) => {
      requested.push(name)
      return [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
    }
    const { results } = await dkimVerify(Buffer.from(message, 'latin1'), { resolver })
    return { results: results.map(({ status, signingDomain }) => [status.result, signingDomain]), requested }
  }

  test.each<[string, 'submission' | 'submissions']>([
    ['587 with STARTTLS', 'submission'],
    ['465 with TLS', 'submissions']
  ])('sent by %s: signed, delivered, read by IMAP', async (_, port) => {
    const subject = `by ${port}`
    const to = ['bob@shop.test', 'dave@rival.test']
    const sent = await send({
      port: mail.ports[port],
      secure: port === 'submissions',
      as: 'Alice@Shop.test',
      from: 'alice@shop.test',
      to,
      subject,
      localAddress: '127.0.0.7'
    })
    expect(sent).toMatchObject({ code: 250 })
    for (const address of to) {
      const message = await eventually(async () =>
        (await readInbox(mail.ports.imaps, address)).find((text) => text.includes(`Subject: ${subject}`))
      )
      expect(message).toContain('Return-Path: <alice@shop.test>')
      expect(message).toMatch(/^Received: by mail\.panel\.test \(Postfix\) with ESMTPSA id \w+/m)
      expect(message.match(/^Received: (.*\r\n[ \t])*.*/gm)!.join()).not.toMatch(/client\.example|127\.0\.0\.7/)
      expect(await verify(message)).toEqual({
        results: [['pass', 'shop.test']],
        requested: ['s1._domainkey.shop.test']
      })
      expect((await verify(message.replace('xxxx', 'yyyy'))).results).toEqual([['neutral', 'shop.test']])
    }
    const found = await stat(join(mail.paths.mail, 'shop.test', 'bob', 'Maildir', 'new'))
    expect([found.uid, found.gid, found.mode & 0o077]).toEqual([5000, 5000, 0])
  })

  describe('From header of a login', () => {
    const write = (header: string, more: Partial<Parameters<typeof send>[0]> = {}) =>
      send({
        port: mail.ports.submission,
        as: 'alice@shop.test',
        from: 'alice@shop.test',
        to: 'bob@shop.test',
        header,
        ...more
      })
    test.each([
      'ALICE@Shop.test',
      'Alice <alice@shop.test>',
      'Dr. Alice A. <alice+news@shop.test>',
      '"Alice, of (shop) <x@y.example>" <alice@shop.test>',
      '"a \\" quote" <alice@shop.test>',
      '"alice@shop.test" <alice@shop.test>',
      '=?utf-8?q?Al=C3=AFce?= <alice@shop.test>',
      'Al\u00efce <alice@shop.test>',
      'Alice\r\n <alice@shop.test>',
      'alice@shop.test (Alice)',
      'Sales <sales@shop.test>',
      'sales@shop.test, Alice <alice@shop.test>',
      // Postfix normalizes these addresses.
      '"alice"@shop.test',
      '<@rival.test:alice@shop.test>'
    ])('%j', async (header) => {
      expect(await write(header)).toMatchObject({ code: 250 })
    })

    test.each([
      ['another customer', 'dave@rival.test'],
      ['in other letters', 'Dave <DAVE@RIVAL.TEST>'],
      ['somebody elsewhere', 'ceo@bank.example'],
      ['a colleague', 'Bob <bob@shop.test>'],
      ['an address that leads elsewhere', 'partner@shop.test'],
      ['one more', 'alice@shop.test, dave@rival.test'],
      ['himself as a name', '"alice@shop.test" <dave@rival.test>'],
      ['himself as a name without quotes', 'alice@shop.test <dave@rival.test>'],
      ['another one as a name without quotes', 'dave@rival.test <alice@shop.test>'],
      ['two in a row', '<dave@rival.test> <alice@shop.test>'],
      ['himself in a comment', 'dave@rival.test (alice@shop.test)'],
      ['another one in a comment', 'alice@shop.test (<dave@rival.test>)'],
      ['a group', 'us: dave@rival.test, alice@shop.test;'],
      ['on the next line', '\r\n dave@rival.test'],
      ['quotes that do not end', '"alice <alice@shop.test>'],
      ['a letter like another', '\u0430lice@shop.test'],
      ['nobody', '<>'],
      ['nothing', ''],
      ['a name alone', 'alice'],
      ['a second header', 'alice@shop.test\r\nFrom: dave@rival.test'],
      ['a second header with a blank', 'alice@shop.test\r\nFrom : dave@rival.test'],
      ['a first header with a blank', 'alice@shop.test\r\nX-Rest: x', 'From : dave@rival.test'],
      ['a path', 'x@../domains.d/shop.test']
    ])('not %s', async (_, header, first?: string) => {
      const headers = first === undefined ? [] : [first]
      expect(await write(header, { headers })).toMatchObject({
        code: 550,
        text: expect.stringContaining('alice@shop.test may send as')
      })
    })

    test('without a key of the domain', async () => {
      await mail.server.putDomain(await servedDomain('unsigned.test', ['ann']))
      const ann = { as: 'ann@unsigned.test', from: 'ann@unsigned.test' }
      expect(await write('dave@rival.test', ann)).toMatchObject({ code: 550 })
      expect(await write('Ann <ann@unsigned.test>', ann)).toMatchObject({ code: 250 })
    })

    test('if the signer has not loaded the keys, as after a crash', async () => {
      await mail.server.putDomain(await servedDomain('halfway.test', ['ann']))
      await mkdir(join(mail.paths.dkim.keys, 'halfway.test'))
      const ann = { as: 'ann@halfway.test', from: 'ann@halfway.test' }
      expect(await write('dave@rival.test', ann)).toMatchObject({ code: 550 })
      expect(await write('Ann <ann@halfway.test>', ann)).toMatchObject({ code: 250 })
    })

    test('temporarily, if permissions are unknown', async () => {
      const note = join(mail.paths.postfix.fragments, 'shop.test')
      await chmod(note, 0o600)
      expect(await write('alice@shop.test')).toMatchObject({ code: 451 })
      await chmod(note, 0o640)
      expect(await write('alice@shop.test')).toMatchObject({ code: 250 })
    })
  })

  describe('envelope sender of a login', () => {
    test.each([
      ['as itself', 'alice@shop.test', 'alice@shop.test'],
      ['as itself with a detail', 'alice@shop.test', 'alice+news@shop.test'],
      ['as an alias of its own', 'alice@shop.test', 'sales@shop.test'],
      ['as an alias of several', 'bob@shop.test', 'team@shop.test'],
      ['as whoever, where it gets all mail of a domain', 'dave@rival.test', 'whoever@rival.test']
    ])('%s', async (_, as, from) => {
      expect(await send({ port: mail.ports.submission, as, from, to: 'bob@shop.test' })).toMatchObject({ code: 250 })
    })

    test.each([
      ['as another mailbox of its domain', 'alice@shop.test', 'bob@shop.test', 553],
      ['as an alias of another one', 'bob@shop.test', 'sales@shop.test', 553],
      ['as a mailbox of another domain', 'alice@shop.test', 'dave@rival.test', 553],
      ['as an address of another domain', 'alice@shop.test', 'anybody@rival.test', 553],
      ['as nobody of its domain', 'alice@shop.test', 'nobody@shop.test', 553],
      ['as somebody elsewhere', 'alice@shop.test', 'ceo@bank.example', 553],
      ['as nobody', 'alice@shop.test', '', 554],
      ['as a subdomain of its own', 'alice@shop.test', 'alice@mail.shop.test', 553],
      ['in other letters as another', 'alice@shop.test', 'BOB@SHOP.TEST', 553],
      ['as a mailbox that sends its mail on to it', 'dave@rival.test', 'bob@shop.test', 553],
      ['as an address of another account that leads to it', 'dave@rival.test', 'partner@shop.test', 553]
    ])('not %s', async (_, as, from, code) => {
      expect(await send({ port: mail.ports.submission, as, from, to: 'bob@shop.test' })).toMatchObject({ code })
    })
  })

  test.each([
    'alice@rival.test@shop.test',
    '"dave"@rival.test',
    '"alice@shop.test"@rival.test',
    'dave@rival.test,alice@shop.test',
    '@shop.test:dave@rival.test',
    'dave%rival.test@shop.test',
    'rival.test!dave@shop.test',
    'alice@sh\u00f6p.test',
    'alice@xn--shp-sna.test',
    '\u0430lice@shop.test',
    'dave@rival.test.',
    'alice@shop.test\0@rival.test'
  ])('not as %j in any spelling', async (sender) => {
    const logIn = Buffer.from(`\0alice@shop.test\0${password}`).toString('base64')
    const lines = ['EHLO x', `AUTH PLAIN ${logIn}`, `MAIL FROM:<${sender}>`, 'RCPT TO:<bob@shop.test>']
    expect(await raw(mail.ports.submissions, lines, { secure: true })).toMatch(/^5\d\d /)
  })

  describe('refused', () => {
    const outside = { from: 'someone@elsewhere.example', port: 'smtp' } as const
    test.each<[string, Omit<Parameters<typeof send>[0], 'port'> & { port: 'smtp' | 'submission' }, number]>([
      [
        'a wrong password',
        { port: 'submission', as: 'alice@shop.test', with: 'wrong', from: 'alice@shop.test', to: 'bob@shop.test' },
        535
      ],
      [
        'an unknown mailbox',
        { port: 'submission', as: 'nobody@shop.test', from: 'alice@shop.test', to: 'bob@shop.test' },
        535
      ],
      [
        'a name without a domain',
        { port: 'submission', as: 'alice', from: 'alice@shop.test', to: 'bob@shop.test' },
        535
      ],
      [
        'a name that is a path',
        { port: 'submission', as: 'x@../../etc/passwd', from: 'alice@shop.test', to: 'bob@shop.test' },
        535
      ],
      [
        'a mailbox without log-ins',
        { port: 'submission', as: 'mute@shop.test', from: 'mute@shop.test', to: 'bob@shop.test' },
        535
      ],
      [
        'a suspended account',
        { port: 'submission', as: 'eve@asleep.test', from: 'eve@asleep.test', to: 'bob@shop.test' },
        535
      ],
      ['sending without a log-in', { port: 'submission', from: 'alice@shop.test', to: 'bob@shop.test' }, 554],
      ['sending without TLS', { port: 'submission', plain: true, from: 'alice@shop.test', to: 'bob@shop.test' }, 530],
      ['an unknown recipient', { ...outside, to: 'nobody@shop.test' }, 550],
      ['relaying', { ...outside, to: 'x@bank.example' }, 554],
      ['relaying with a sender of ours', { ...outside, from: 'alice@shop.test', to: 'x@bank.example' }, 554],
      ['relaying of a bounce', { ...outside, from: '', to: 'x@bank.example' }, 554],
      [
        'relaying from another address of this machine',
        { ...outside, localAddress: '127.0.0.7', to: 'x@bank.example' },
        554
      ],
      ['relaying through a percent sign', { ...outside, to: 'x%bank.example@shop.test' }, 554],
      ['relaying through an exclamation mark', { ...outside, to: 'bank.example!x@shop.test' }, 554],
      ['somebody at this host, where nobody is', { ...outside, to: 'root@mail.panel.test' }, 550],
      ['a suspended recipient, for now', { ...outside, to: 'eve@asleep.test' }, 450],
      ['a message that is too long', { ...outside, to: 'alice@shop.test', bytes: 2.5 * 2 ** 20 }, 552]
    ])('%s', async (_, sending, code) => {
      expect(await send({ ...sending, port: mail.ports[sending.port] })).toMatchObject({ code })
    })

    test.each([
      '"x@bank.example"@shop.test',
      '"x%bank.example"@shop.test',
      'x@bank.example@shop.test',
      'x%bank.example%shop.test@mail.panel.test',
      '@shop.test:x@bank.example',
      '@shop.test,@mail.panel.test:x@bank.example',
      '"x"@bank.example',
      'bank.example!x',
      'x%bank.example',
      'x@[127.0.0.1]',
      'x@[192.0.2.1]',
      'x@localhost',
      'x@shop.test.bank.example',
      'x@shop.test\0.bank.example',
      '|/bin/true',
      '"|/bin/true"@shop.test',
      '/etc/passwd@shop.test',
      'anybody@intake.invalid'
    ])('relaying to %j, with a local or empty sender', async (recipient) => {
      for (const sender of ['alice@shop.test', '']) {
        const lines = ['EHLO x', `MAIL FROM:<${sender}>`, `RCPT TO:<${recipient}>`]
        // 503 would only mean that there is no sender.
        expect(await raw(mail.ports.smtp, lines)).toMatch(/^5(?!03)\d\d /)
      }
    })

    test('SMTP smuggling in any form', async () => {
      const smuggled = ['MAIL FROM:<ceo@rival.test>', 'RCPT TO:<bob@shop.test>', 'DATA', 'Subject: smuggled', '', 'x']
      const before = (await readInbox(mail.ports.imaps, 'bob@shop.test')).length
      for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\n\r.\r\n']) {
        const text = `Subject: first\r\n\r\nhello${end}${smuggled.join('\r\n')}\r\n.`
        const lines = ['EHLO x', 'MAIL FROM:<a@elsewhere.example>', 'RCPT TO:<bob@shop.test>', 'DATA', text]
        expect([end, await raw(mail.ports.smtp, lines)]).toEqual([
          end,
          expect.stringMatching(/^(250|[45]\d\d) [^\n]*\n$/)
        ])
      }
      await eventually(isQueueEmpty)
      const arrived = (await readInbox(mail.ports.imaps, 'bob@shop.test')).slice(before)
      expect(arrived.length).toBeGreaterThan(0)
      for (const text of arrived) expect(text).toMatch(/^Subject: first\r$/m)
      for (const text of arrived) expect(text).toMatch(/^Return-Path: <a@elsewhere.example>\r$/m)
    })

    test('a recipient without a domain', async () => {
      const lines = ['EHLO x', 'MAIL FROM:<a@elsewhere.example>', 'RCPT TO:<alice>']
      expect(await raw(mail.ports.smtp, lines)).toMatch(/^504 /)
    })

    test('a subdomain of a suspended domain is separate', async () => {
      await mail.server.putDomain(await servedDomain('awake.asleep.test', ['ann']))
      expect(await send({ ...outside, port: mail.ports.smtp, to: 'ann@awake.asleep.test' })).toMatchObject({
        code: 250
      })
    })

    test('what does not fit into the mailbox', async () => {
      const to = 'small@shop.test'
      const port = mail.ports.smtp
      expect(await send({ ...outside, port, to, bytes: 700_000 })).toMatchObject({ code: 250 })
      await eventually(async () => (await countOn(to)) === 1)
      expect(await raw(port, ['EHLO x', 'MAIL FROM:<a@elsewhere.example> SIZE=700000', `RCPT TO:<${to}>`])).toMatch(
        /^552 5\.2\.2 /
      )
      const more = `Subject: too much\r\n\r\n${`${'x'.repeat(900)}\r\n`.repeat(700)}.`
      const lines = ['EHLO x', 'MAIL FROM:<dave@rival.test>', `RCPT TO:<${to}>`, 'DATA', more]
      expect(await raw(port, lines)).toMatch(/^250 /)
      const notified = await eventually(async () =>
        (await readInbox(mail.ports.imaps, 'dave@rival.test')).find((text) => text.includes('Subject: Undelivered'))
      )
      expect(notified).toMatch(/^Diagnostic-Code: smtp; 552 5\.2\.2 /m)
      expect(await countOn(to)).toBe(1)
    })
  })

  test('logins are not offered before TLS', async () => {
    expect(await raw(mail.ports.submission, ['EHLO x'])).not.toContain('AUTH')
    expect(await raw(mail.ports.submission, ['EHLO x', 'AUTH PLAIN AGEAYg=='])).toMatch(/^530 /)
    expect(await raw(mail.ports.smtp, ['EHLO x'])).not.toContain('AUTH')
    expect(await raw(mail.ports.smtp, ['EHLO x', 'AUTH PLAIN AGEAYg=='])).toMatch(/^503 /)
    expect(await mail.server.probe()).toEqual({
      smtp: { port25Open: true, port465Open: true, port587Open: true, tlsEnforced: true },
      imap: { port143Open: true, port993Open: true, tlsEnforced: true, saslAuthConnected: true }
    })
  })

  test.each<['smtp' | 'submission' | 'imap' | 'managesieve', OverTls, RegExp]>([
    [
      'smtp',
      { before: ['EHLO x'], starting: ['STARTTLS', 'VRFY injected'], own: 'NOOP', answered: /^250 2\.0\.0/m },
      /^(502|252|550) /m
    ],
    [
      'submission',
      { before: ['EHLO x'], starting: ['STARTTLS', 'VRFY injected'], own: 'NOOP', answered: /^250 2\.0\.0/m },
      /^(502|252|550) /m
    ],
    ['imap', { starting: ['a STARTTLS', 'injected NOOP'], own: 'own NOOP', answered: /^own OK/m }, /^injected/m],
    ['managesieve', { starting: ['STARTTLS', 'NOOP "injected"'], own: 'NOOP "own"', answered: /"own"/ }, /injected/]
  ])('%s: commands before TLS are not executed after it', async (port, talk, isTaken) => {
    expect(await talkOverTls(mail.ports[port], talk)).not.toMatch(isTaken)
  })

  test('changes restart nothing and end no other session', async () => {
    const before = await mail.pids()
    const session = await openImap(mail.ports.imaps, 'dave@rival.test')
    const others = await openImap(mail.ports.imaps, 'alice@shop.test')
    const shut = new Promise((resolve) => others.once('close', resolve))
    await mail.server.putDomain(await servedDomain('fresh.test', ['first']))
    await mail.server.putDomain(await servedDomain('fresh.test', ['first', 'second']))
    expect(await canLogIn(mail.ports.imaps, 'second@fresh.test')).toBe(true)
    const shop = await servedDomain('shop.test', ['bob'], {
      mailboxes: [await mailbox('bob'), await mailbox('alice', { mayLogIn: false })]
    })
    await mail.server.putDomain(shop)
    await shut
    expect(await canLogIn(mail.ports.imaps, 'alice@shop.test')).toBe(false)
    await session.noop()
    expect(session.usable).toBe(true)
    await session.logout()
    expect(await mail.pids()).toEqual(before)
    await mail.server.putDomain(await servedDomain('shop.test', ['bob', 'alice', 'small']))
  })

  test('an open session continues while domains are added, and ends when its account is suspended', async () => {
    await mail.server.putDomain(await servedDomain('open.test', ['ann']))
    const { say, close } = await openSmtp(mail.ports.submissions, 'ann@open.test')
    const write = async () => {
      const answers = []
      for (const line of ['MAIL FROM:<ann@open.test>', 'RCPT TO:<ann@open.test>', 'DATA']) answers.push(await say(line))
      if (answers.at(-1)!.startsWith('354')) answers.push(await say('From: ann@open.test\r\n\r\nhello\r\n.'))
      else await say('RSET')
      return answers.at(-1)
    }
    expect(await write()).toMatch(/^250 /)
    await mail.server.putDomain(await servedDomain('newer.test', ['ben']))
    await eventually(
      async () => (await send({ port: mail.ports.smtp, from: 'a@b.example', to: 'ben@newer.test' })).code === 250
    )
    expect(await write()).toMatch(/^250 /)
    await mail.server.putDomain(await servedDomain('open.test', ['ann'], { isSuspended: true }))
    expect(await write()).not.toMatch(/^250 /)
    close()
    await eventually(async () => (await countOn('ann@open.test')) === 2)
  })

  test.each(['dovecot', 'opendkim', 'postfix'] as const)(
    '%s: a configuration refused by its checker leaves the old one active',
    async (name) => {
      await mail.server.putDomain(await servedDomain('serving.test', ['ann']))
      const program = await mail.programs[name]()
      const { main } = await program.find()
      const broken = () => program.render().map((file) => ({ ...file, content: `${file.content}\nnonsense {\n` }))
      await expect(startProgram({ ...program, render: broken })).rejects.toThrow('was rejected by its own checker')
      expect((await program.find()).main).toBe(main)
      const [port, as] = [mail.ports.submission, 'ann@serving.test']
      expect(await send({ port, as, from: as, to: as })).toMatchObject({ code: 250 })
      expect(await startProgram(program)).toMatchObject({ outcome: 'adopted' })
    }
  )

  test('a change interrupted by a crash is repeated', async () => {
    const note = join(mail.paths.postfix.fragments, 'cut.test')
    await mail.server.putDomain(await servedDomain('cut.test', ['ann', 'ben']))
    const before = await readFile(note)
    for (const localParts of [['ben'], []]) {
      for (let times = 0; times < 2; times++) {
        if (localParts.length > 0) await mail.server.putDomain(await servedDomain('cut.test', localParts))
        else await mail.server.removeDomain('cut.test')
        if (times === 0) await writeFile(note, before)
      }
    }
    expect(await mail.server.listDomains()).not.toContain('cut.test')
  })

  test('a password change is immediate, also twice within a second', async () => {
    const { hash } = await import('@node-rs/argon2')
    const words = ['first one', 'other one']
    const hashes = await Promise.all(words.map((text) => hash(text, { memoryCost: 4096, timeCost: 1 })))
    const isRight = (pass: string) => canLogIn(mail.ports.imaps, 'ann@word.test', pass)
    for (const index of [0, 1, 0, 1]) {
      const ann = await mailbox('ann', { passwordHash: hashes[index]! })
      await mail.server.putDomain(await servedDomain('word.test', [], { mailboxes: [ann] }))
      expect(await isRight(words[index]!)).toBe(true)
    }
    expect(await isRight(words[0]!)).toBe(false)
  })
})

describe('certificates', () => {
  const names = ['mail.one.test', 'mail.two.test', 'mail.panel.test'] as const
  const made = new Map<string, { chain: string; keyPem: string }>()
  const make = async (name: string) => {
    const certificate = await createSelfSigned([name], { now: new Date(), days: 30 })
    made.set(name, certificate)
    return certificate
  }
  const sync = (wanted: readonly string[], certificates = mail.certificates) =>
    certificates.sync(
      wanted.map((name) => ({
        id: name.replaceAll('.', '_'),
        fingerprint: readCertificate(made.get(name)!.chain).fingerprint,
        hostnames: [name],
        isDefault: name === 'mail.panel.test'
      })),
      async (id) => made.get(id.replaceAll('_', '.'))
    )
  const served = async (port: 'imaps' | 'submissions', servername: string | undefined) => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: mail.ports[port],
      rejectUnauthorized: false,
      ...(servername === undefined ? {} : { servername })
    })
    await once(socket, 'secureConnect')
    const { subject, fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return [subject.CN, fingerprint256]
  }
  beforeAll(async () => {
    await mail.server.putDomain(await servedDomain('one.test', ['ann']))
    for (const name of names) await make(name)
  })

  test('are chosen by SNI, else the server’s own', async () => {
    expect(await sync(names)).toBe(true)
    expect(await sync(names)).toBe(false)
    for (const port of ['imaps', 'submissions'] as const) {
      for (const name of names) await expect.poll(async () => (await served(port, name))[0]).toBe(name)
      expect((await served(port, 'mail.unknown.test'))[0]).toBe('mail.panel.test')
      expect((await served(port, undefined))[0]).toBe('mail.panel.test')
    }
  })

  test('a renewed one is used without ending sessions', async () => {
    await sync(names)
    const session = await openImap(mail.ports.imaps, 'ann@one.test', password, {
      tls: { rejectUnauthorized: false, servername: 'mail.one.test' }
    })
    const before = await served('imaps', 'mail.one.test')
    await make('mail.one.test')
    await make('mail.panel.test')
    expect(await sync(names)).toBe(true)
    for (const port of ['imaps', 'submissions'] as const)
      await expect.poll(async () => (await served(port, 'mail.one.test'))[1]).not.toBe(before[1])
    await session.noop()
    expect(session.usable).toBe(true)
    await session.logout()
    await expect
      .poll(() => send({ port: mail.ports.submission, as: 'ann@one.test', from: 'ann@one.test', to: 'ann@one.test' }))
      .toMatchObject({ code: 250 })
  })

  test('a change interrupted by a crash is repeated', async () => {
    await sync(names)
    for (const [program, port] of [
      ['postmap', 'submissions'],
      ['doveadm', 'imaps']
    ] as const) {
      const before = await served(port, 'mail.one.test')
      await make('mail.one.test')
      const dying = createMailCertificates({
        ...mail.options,
        hostname: () => mail.options.hostname,
        run: (argv, options) =>
          argv[0] === program ? Promise.reject(new Error('killed')) : mail.options.run(argv, options)
      })
      await expect(sync(names, dying)).rejects.toThrow('killed')
      expect(await served(port, 'mail.one.test')).toEqual(before)
      expect(await sync(names)).toBe(true)
      await expect.poll(async () => (await served(port, 'mail.one.test'))[1]).not.toBe(before[1])
      expect(await sync(names)).toBe(false)
    }
  })

  test('without any, a self-signed one is used; an invalid one is skipped and reported', async () => {
    await sync(names)
    await sync([])
    await expect
      .poll(async () => (await served('imaps', 'mail.one.test'))[1])
      .not.toBe(readFingerprint(made.get('mail.one.test')!.chain))
    expect((await served('imaps', 'mail.one.test'))[0]).toBe('mail.panel.test')
    made.set('mail.two.test', { chain: made.get('mail.two.test')!.chain, keyPem: made.get('mail.one.test')!.keyPem })
    await expect(sync(['mail.one.test', 'mail.two.test'])).rejects.toThrow('mail_two_test')
    await expect.poll(async () => (await served('imaps', 'mail.one.test'))[0]).toBe('mail.one.test')
  })
})

describe('filters and limits', () => {
  test.each(['regex', 'enotify', 'reject', 'vnd.dovecot.execute'])('a user script cannot use %s', async (extension) => {
    await mail.server.putDomain(await servedDomain('one.test', ['ann']))
    const script = `require "${extension}";\r\nkeep;\r\n`
    await expect.poll(() => putScript('ann@one.test', script)).toMatch(/^NO .*(unknown|not available)/i)
    expect(await putScript('ann@one.test', 'require "fileinto"; fileinto "Junk";\r\n')).toMatch(/^OK/)
  })

  test('a filter of the panel replies with a null sender', async () => {
    const sieve =
      'require ["vacation"];\r\nvacation :days 1 :subject "Away" :addresses ["ben@away.test"] "I am away.\r\nBen";\r\n'
    await mail.server.putDomain(
      await servedDomain('away.test', ['ann'], { mailboxes: [await mailbox('ann'), await mailbox('ben', { sieve })] })
    )
    await send({ port: mail.ports.submission, as: 'ann@away.test', from: 'ann@away.test', to: 'ben@away.test' })
    const reply = await eventually(async () =>
      (await readInbox(mail.ports.imaps, 'ann@away.test')).find((text) => text.includes('I am away.'))
    )
    expect(reply).toMatch(/^Return-Path: <>\r\n/)
    expect(reply).toContain('Auto-Submitted: auto-replied (vacation)')
    expect(await readInbox(mail.ports.imaps, 'ben@away.test')).toHaveLength(1)
  })

  test('a reply set over ManageSieve is sent once, also beside the panel’s', async () => {
    const own = (text: string) => `require ["vacation"];\r\nvacation :days 1 :subject "${text}" "${text}";\r\n`
    const ben = (sieve?: string) => mailbox('ben', sieve === undefined ? {} : { sieve })
    const put = async (sieve?: string) => {
      const mailboxes = [await mailbox('ann'), await mailbox('cleo'), await ben(sieve)]
      await mail.server.putDomain(await servedDomain('script.test', [], { mailboxes }))
    }
    const answersTo = async (from: string) => {
      const before = await countOn('ben@script.test')
      await send({ port: mail.ports.submission, as: from, from, to: 'ben@script.test' })
      await eventually(async () => (await countOn('ben@script.test')) === before + 1)
      await eventually(isQueueEmpty)
      return (await readInbox(mail.ports.imaps, from)).map((text) => /^Subject: (.*)\r$/m.exec(text)![1])
    }
    await put()
    const commands = [putting(own('By hand')), 'SETACTIVE "mine"']
    for (const message of await sieve('ben@script.test', ...commands)) expect(message).toMatch(/^OK/)
    expect(await answersTo('ann@script.test')).toEqual(['By hand'])
    await put(own('By the panel'))
    expect(await answersTo('cleo@script.test')).toHaveLength(1)
    const plain = await sieve(undefined, authenticate('ben@script.test'))
    expect(plain.at(-1)).toMatch(/^NO .*(secure|TLS|disabled)/i)
  })

  test('a script replies as its own mailbox and cannot redirect', async () => {
    const mailboxes = await Promise.all(['ben', 'ann', 'bea', 'cleo', 'dan', 'eve'].map((name) => mailbox(name)))
    await mail.server.putDomain(await servedDomain('forge.test', [], { mailboxes }))
    const ceo = 'ceo@rival.test'
    const require = 'require ["vacation"];\r\n'
    const answering = (from: string) => `${require}vacation :days 1 :from "${from}" "Pay this.";\r\n`
    const withHeader = (lines: string) => `${require}vacation :days 1 :mime "${lines}\r\n\r\nPay this.\r\n";\r\n`
    const scripts = [
      ['ann', answering(`The chief <${ceo}>`), 0],
      ['bea', withHeader(`From: ${ceo}\r\nContent-Type: text/plain`), 0],
      ['cleo', withHeader(`Content-Type: text/plain\r\nfrom : <${ceo}>`), 0],
      ['dan', 'redirect "dan@forge.test"; keep;\r\n', 0],
      ['eve', answering('Ben of Us <Ben@forge.test>'), 1]
    ] as const
    let kept = 0
    for (const [name, script, answers] of scripts) {
      const message = await sieve('ben@forge.test', putting(script), 'SETACTIVE "mine"')
      expect([name, ...message]).toEqual([name, expect.stringMatching(/^OK/), expect.stringMatching(/^OK/)])
      const from = `${name}@forge.test`
      expect(await send({ port: mail.ports.submission, as: from, from, to: 'ben@forge.test' })).toMatchObject({
        code: 250
      })
      kept++
      await eventually(async () => (await countOn('ben@forge.test')) === kept && isQueueEmpty())
      expect([name, await countOn(from)]).toEqual([name, answers])
    }
  })

  test('replies are rate limited, and the triggering mail is kept', async () => {
    const sieve = 'require ["vacation"];\r\nvacation :days 1 :addresses ["desk@busy.test"] "I am away.\r\nBen";\r\n'
    await mail.server.putDomain(
      await servedDomain('busy.test', [], {
        mailboxes: [await mailbox('ben', { sieve })],
        aliases: [{ localPart: 'desk', targets: ['ben@busy.test'] }]
      })
    )
    const everybody = { localPart: undefined, targets: ['ann@many.test'] }
    await mail.server.putDomain(await servedDomain('many.test', ['ann'], { aliases: [everybody] }))
    const requested: string[] = []
    const policy = await serveReplyPolicy(mail.paths.dovecot.replyLimits, {
      onError: () => {},
      async mayReply({ mailbox }) {
        requested.push(mailbox)
        return requested.length <= 2
      }
    })
    try {
      const forged = Array.from({ length: 6 }, (_, index) => `sender${index}@many.test`)
      for (const [index, from] of forged.entries()) {
        const to = index % 2 === 0 ? 'ben@busy.test' : 'desk@busy.test'
        expect((await send({ port: mail.ports.smtp, from, to })).code).toBe(250)
      }
      await eventually(async () => (await countOn('ben@busy.test')) === 6 && requested.length === 6)
      await eventually(isQueueEmpty)
      expect(new Set(requested)).toEqual(new Set(['ben@busy.test']))
      const answers = await readInbox(mail.ports.imaps, 'ann@many.test')
      expect(answers).toHaveLength(2)
      const byAlias = answers.filter((text) => text.includes('From: <desk@busy.test>'))
      for (const text of byAlias) expect(text).not.toContain('ben@busy.test')
    } finally {
      await policy.close()
    }
    expect((await send({ port: mail.ports.smtp, from: 'late@many.test', to: 'ben@busy.test' })).code).toBe(250)
    await eventually(async () => (await countOn('ann@many.test')) === 3)
  })

  test('the filter socket is private to the mail user and takes no sender', async () => {
    const asker = `use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new('${mail.paths.postfix.replies}') or exit 3;
      sub hear { my $l; do { $l = <$s> // exit 4 } while $l =~ /^...-/; $l } hear();
      for ('EHLO x', 'MAIL FROM:<a@away.test>', 'RCPT TO:<x@bank.example>') { print $s "$_\r\n"; $l = hear() } print $l`
    const as = (uid: number) =>
      run(['perl', '-e', asker], { timeoutMs: 10_000, as: { uid, gid: uid } }).then(
        ({ stdout }) => stdout,
        (error: { exitCode?: number }) => error.exitCode
      )
    expect(await as(65_534)).toBe(3)
    expect(await as(5000)).toMatch(/^554 /)
  })

  test('the policy service can stop a login from sending; without it mail continues', async () => {
    const list = { localPart: 'list', targets: ['ann@away.test'] }
    await mail.server.putDomain(await servedDomain('away.test', ['ann'], { aliases: [list] }))
    const requested: SendingRequest[] = []
    const policy = await serveSendingPolicy(mail.paths.postfix.limits, {
      run,
      onError: () => {},
      policy: {
        async decide(request) {
          requested.push(request)
          if (request.login === undefined && request.to.length === 1) return '450 4.7.1 Too many'
          if (requested.length > 2) throw new Error('the store is away')
          return requested.length > 1 ? '450 4.7.1 Too many' : undefined
        },
        decideRecipient: async (recipient) =>
          recipient === 'list+refused@away.test' ? '450 4.7.1 Too many others' : undefined
      }
    })
    const sendOne = () =>
      send({
        port: mail.ports.submission,
        as: 'ann@away.test',
        from: 'ann@away.test',
        to: 'ann@away.test'
      })
    expect((await sendOne()).code).toBe(250)
    expect((await sendOne()).code).toBe(450)
    expect((await sendOne()).code).toBe(250)
    const own = { login: 'ann@away.test', address: '127.0.0.1', recipients: 1, to: ['ann@away.test'] }
    expect(requested.splice(0)).toEqual([own, own, own])
    const naming = ['EHLO x', 'MAIL FROM:<bob@elsewhere.example>', 'RCPT TO:<list@away.test>', 'RSET']
    expect(await raw(mail.ports.smtp, [...naming, ...naming.slice(1)])).toMatch(/^250 /)
    expect(requested).toEqual([])
    const toList = () =>
      send({ port: mail.ports.smtp, from: 'bob@elsewhere.example', to: 'list@away.test', plain: true })
    expect((await toList()).code).toBe(450)
    expect(requested).toEqual([{ login: undefined, address: '127.0.0.1', recipients: 1, to: ['list@away.test'] }])
    requested.splice(0)
    const several = [
      'EHLO x',
      'MAIL FROM:<bob@elsewhere.example>',
      'RCPT TO:<list@away.test>',
      'RCPT TO:<ann@away.test>',
      'RCPT TO:<list+refused@away.test>'
    ]
    expect(await raw(mail.ports.smtp, several)).toMatch(/^450 4\.7\.1 <list\+refused@away\.test>.*Too many others/)
    expect(await raw(mail.ports.smtp, [...several, 'DATA', 'Subject: several\r\n\r\nx\r\n.'])).toMatch(/^250 /)
    expect(requested).toMatchObject([{ login: undefined, recipients: 2, to: ['list@away.test', 'ann@away.test'] }])
    await policy.close()
    expect((await toList()).code).toBe(250)
    expect((await sendOne()).code).toBe(250)
  })
})

describe('a killed server', () => {
  const to = 'ann@killed.test'
  const deliver = (subject: string) => send({ port: mail.ports.smtp, from: 'someone@elsewhere.example', to, subject })

  test('Postfix: all accepted mail is delivered', async () => {
    await mail.server.putDomain(await servedDomain('killed.test', ['ann']))
    const before = await countOn(to)
    await stopProgram(await mail.programs.dovecot())
    const taken: string[] = []
    const sending = Array.from({ length: 8 }, async (_, index) => {
      for (let turn = 0; turn < 4; turn++) {
        const subject = `kill ${index} ${turn}`
        if ((await deliver(subject)).code === 250) taken.push(subject)
      }
    })
    await eventually(async () => taken.length > 4)
    const { all } = await mail.programs.postfix().find()
    for (const pid of all) signal(pid, 'SIGKILL')
    await Promise.all(sending)
    expect(taken.length).toBeLessThan(32)
    await startProgram(await mail.programs.dovecot())
    await startProgram(mail.programs.postfix())
    await eventually(async () => {
      await mail.queue.flushAll()
      return isQueueEmpty()
    })
    const subjects = new Set((await readInbox(mail.ports.imaps, to)).map((text) => /^Subject: (.*)\r$/m.exec(text)![1]))
    expect(taken.filter((subject) => !subjects.has(subject))).toEqual([])
    expect(await countOn(to)).toBeGreaterThanOrEqual(before + taken.length)
  })

  test('Dovecot: mail waits for it', async () => {
    await mail.server.putDomain(await servedDomain('killed.test', ['ann']))
    const before = await countOn(to)
    const { all } = await (await mail.programs.dovecot()).find()
    for (const pid of all) signal(pid, 'SIGKILL')
    expect(await deliver('while it is away')).toMatchObject({ code: 250 })
    await mail.server.putDomain(await servedDomain('killed.test', ['ann', 'ben']))
    expect(await startProgram(await mail.programs.dovecot())).toMatchObject({ outcome: 'started' })
    await eventually(async () => {
      await mail.queue.flushAll()
      return (await countOn(to)) === before + 1
    })
    expect(await canLogIn(mail.ports.imaps, 'ben@killed.test')).toBe(true)
  })

  test('signer: nothing is sent unsigned, everything later', async () => {
    const sendOne = () => send({ port: mail.ports.submission, as: to, from: to, to })
    const { all } = await mail.programs.opendkim().find()
    for (const pid of all) signal(pid, 'SIGKILL')
    expect((await sendOne()).code).toBeGreaterThanOrEqual(450)
    expect((await sendOne()).code).toBeLessThan(500)
    expect((await deliver('from elsewhere')).code).toBe(250)
    await expect(mail.signer.ping()).rejects.toThrow()
    await startProgram(mail.programs.opendkim())
    expect((await sendOne()).code).toBe(250)
  })

  const all = async (program: 'dovecot' | 'opendkim') => (await (await mail.programs[program]()).find()).all

  test('a hanging Dovecot or quota service: mail is accepted, waits and is delivered once', async () => {
    await mail.server.putDomain(await servedDomain('killed.test', ['ann']))
    const before = await countOn(to)
    const hanging = await all('dovecot')
    try {
      await Promise.all(hanging.map(pause))
      expect(await deliver('while it hangs')).toMatchObject({ code: 250 })
    } finally {
      for (const pid of hanging) signal(pid, 'SIGCONT')
    }
    await eventually(async () => {
      await mail.queue.flushAll()
      return isQueueEmpty()
    })
    expect(await countOn(to)).toBe(before + 1)
  })

  test('a hanging signer: nothing is sent unsigned', async () => {
    await mail.server.putDomain(await servedDomain('killed.test', ['ann']))
    const sendOne = async () => (await send({ port: mail.ports.submission, as: to, from: to, to })).code
    const hanging = await all('opendkim')
    try {
      await Promise.all(hanging.map(pause))
      const code = await sendOne()
      expect(code).toBeGreaterThanOrEqual(400)
      expect(code).toBeLessThan(500)
    } finally {
      for (const pid of hanging) signal(pid, 'SIGCONT')
    }
    await expect.poll(sendOne).toBe(250)
  })

  test('a full disk: mail waits, and no sender gets a bounce', async () => {
    await mail.server.putDomain(await servedDomain('full.test', ['ann']))
    const address = 'ann@full.test'
    const home = join(mail.paths.mail, 'full.test')
    await mkdir(home, { recursive: true })
    await run(['mount', '-t', 'tmpfs', '-o', 'size=256k,mode=0700,uid=5000,gid=5000', 'tmpfs', home], {
      timeoutMs: 10_000
    })
    try {
      const big = { port: mail.ports.smtp, from: 'someone@elsewhere.example', to: address, bytes: 600_000 }
      expect(await send(big)).toMatchObject({ code: 250 })
      const waiting = async () => (await mail.queue.list(10, ({ queue }) => queue === 'deferred')).messages
      await eventually(async () => (await waiting()).some(({ sender }) => sender === big.from))
      expect(await countOn(address)).toBe(0)
      await run(['mount', '-o', 'remount,size=8m', home], { timeoutMs: 10_000 })
      await eventually(async () => {
        await mail.queue.flushAll()
        return (await countOn(address)) === 1
      })
      expect((await readInbox(mail.ports.imaps, address))[0]!.length).toBeGreaterThan(600_000)
    } finally {
      await mail.server.removeDomain('full.test')
      await run(['umount', '-l', home], { timeoutMs: 10_000 })
    }
  })

  test('running servers with the same configuration are adopted', async () => {
    for (const make of [mail.programs.dovecot, mail.programs.opendkim, mail.programs.postfix])
      expect(await startProgram(await make())).toMatchObject({ outcome: 'adopted' })
  })
})

const readFingerprint = (chain: string) => new X509Certificate(chain).fingerprint256

function raw(port: number, lines: readonly string[], { secure = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const at = { host: '127.0.0.1', port, localAddress: '127.0.0.2' }
    const socket = secure ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at)
    const left = [...lines]
    let answer = ''
    socket.setEncoding('latin1')
    socket.once('error', reject)
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (text: string) => {
      answer += text
      if (!/^\d{3} [^\n]*\n$/m.test(answer)) return
      const next = left.shift()
      if (next === undefined) {
        resolve(answer)
        return void socket.destroy()
      }
      answer = ''
      socket.write(`${next}\r\n`)
    })
  })
}

interface OverTls {
  before?: readonly string[]
  starting: readonly string[]
  own: string
  answered: RegExp
}

/** Everything received under TLS until the response to `own`, or the end. Detects commands injected before STARTTLS. */
async function talkOverTls(port: number, { before = [], starting, own, answered }: OverTls): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' })
  const hear = async (isWhole: RegExp) => {
    for (let text = ''; ;) {
      text += String((await once(socket, 'data'))[0])
      if (isWhole.test(text)) return
    }
  }
  await hear(/^(\d{3} |\* OK|OK)[^\n]*\n$/m)
  for (const line of before) {
    socket.write(`${line}\r\n`)
    await hear(/^\d{3} [^\n]*\n$/m)
  }
  socket.write(starting.map((line) => `${line}\r\n`).join(''))
  await hear(/^(220 |a OK|OK)[^\n]*\n/m)
  const secure = connectTls({ socket, rejectUnauthorized: false })
  let heard = ''
  secure.on('data', (chunk: Buffer) => (heard += String(chunk)))
  secure.on('error', () => {})
  const ended = new Promise((resolve) => secure.once('close', resolve))
  secure.write(`${own}\r\n`)
  await Promise.race([ended, eventually(async () => answered.test(heard))])
  socket.destroy()
  return heard
}
