import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { MailQueueList } from '@panel/contract/mail-queue'
import type { Mailbox, MailStatus } from '@panel/contract/mailboxes'
import type { SpamSettings } from '@panel/contract/mail-spam'
import type { WebmailActivity, WebmailLink } from '@panel/contract/webmail'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailPaths } from '../../packages/server/src/infra/mail-server/mail-paths.ts'
import { processesIn } from '../../packages/server/src/infra/process/processes-in.ts'
import { mailDirectories } from '../../packages/server/src/process/paths.ts'
import { eventually, openImap, password, readInbox, send } from './servers.harness.ts'
import { docker } from '../support/engine.ts'
import { type MailPorts, startMailPanel } from '../support/mail-panel.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { type Browser, openWebmail } from '../support/webmail.ts'

/** The spam filter and webmail, which the shared panel does not run. */
let panel: RunningPanel
let ports: MailPorts
let admin: Client
let ann: Client
let bob: Client
const notices: string[] = []
const notifier = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _session, done) {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => (text += chunk))
    stream.on('end', () => {
      notices.push(text)
      done()
    })
  }
})
beforeAll(async () => {
  const server = notifier.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const env = {
    WEBMAIL: 'on',
    MAIL_SPAM_FILTER: 'on',
    MAIL_SPAM_LOOKUPS: 'off',
    MAIL_GREYLIST_SECONDS: '1',
    SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  ;({ panel, ports } = await startMailPanel(env))
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(async () => {
  await panel?.dispose()
  notifier.close()
})

async function newDomain(client: Client, hostname: string): Promise<string> {
  const { id } = await client.call<{ id: string }>('POST', '/domains', { hostname })
  await client.call('POST', `/domains/${id}/verify?mock=true`)
  return id
}
const newMailbox = (client: Client, domainId: string, localPart: string) =>
  client.call<Mailbox>('POST', '/mailboxes', { domainId, localPart, password })

describe('the spam filter', () => {
  let domainId: string
  beforeAll(async () => {
    domainId = await newDomain(ann, 'filtered.example')
    for (const localPart of ['ann', 'bea']) await newMailbox(ann, domainId, localPart)
  })

  const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
  const deliver = (subject: string, more: Partial<Parameters<typeof send>[0]> = {}) =>
    send({ port: ports.SMTP, from: 'eve@elsewhere.example', to: 'ann@filtered.example', subject, plain: true, ...more })
  const isIn = async (folder: string, wanted: string) => {
    const client = await openImap(ports.IMAPS, 'ann@filtered.example')
    try {
      await client.mailboxOpen(folder)
      return (await client.search({ subject: wanted })) || []
    } finally {
      await client.logout()
    }
  }
  const arrivesIn = (folder: string, subject: string) =>
    eventually(async () => (await isIn(folder, subject)).length > 0)
  const filterStatus = async () => (await ann.call<MailStatus>('GET', '/mail/status')).spamFilter.status
  const change = (input: object) => ann.call<SpamSettings>('PATCH', `/mail/spam/${domainId}`, input)

  test('settings apply from the next message', async () => {
    await eventually(async () => (await filterStatus()) === 'running')
    expect((await deliver('body', { text: gtube })).code).toBe(554)
    expect(await deliver('first')).toMatchObject({ code: 250 })
    await arrivesIn('INBOX', 'first')
    expect(await change({ deny: ['elsewhere.example'] })).toMatchObject({ deny: ['elsewhere.example'], junkScore: 6 })
    expect((await deliver('denied')).code).toBe(554)
    // The spam test pattern scores 500 points.
    await change({ deny: [], refuseScore: 1000, greylisting: false })
    expect((await deliver(gtube)).code).toBe(250)
    await arrivesIn('Junk', gtube)
    await change({ refuseScore: 15 })
    expect((await deliver(gtube)).code).toBe(554)
    await change({ allow: ['eve@elsewhere.example'] })
    expect((await deliver('allowed')).code).toBe(250)
    await change({ enabled: false })
    expect((await deliver(`${gtube} unfiltered`)).code).toBe(250)
    await arrivesIn('INBOX', `${gtube} unfiltered`)
    await change({ enabled: true, allow: [] })
  })

  test('spam of a login is held with the reason, and its owner is notified', async () => {
    const from = 'bea@filtered.example'
    const sent = await send({ port: ports.SUBMISSION, as: from, from, to: 'x@elsewhere.example', subject: gtube })
    expect(sent.code).toBe(250)
    const { messages } = await admin.call<MailQueueList>('GET', '/mail/queue?flagged=held')
    expect(messages).toMatchObject([
      {
        sender: from,
        flagged: 'held',
        reason: expect.stringMatching(/^Held by the spam filter: mail from bea@.*PANEL_TEST/)
      }
    ])
    await eventually(async () =>
      notices.some((text) => /^Subject: Mail held as spam: bea@filtered\.example/m.test(text))
    )
    await admin.call('POST', `/mail/queue/${messages[0]!.queueId}/delete`)
  })

  test('limits apply to logins, forwarded mail and autoreplies', async () => {
    const own = (localPart: string) => `${localPart}@filtered.example`
    const othersId = await newDomain(bob, 'others.example')
    await newMailbox(bob, othersId, 'bob')
    await bob.call('POST', '/mail/aliases', { domainId: othersId, localPart: '*', targets: ['bob@others.example'] })
    await newMailbox(ann, domainId, 'carl')
    const { id } = await newMailbox(ann, domainId, 'gone')
    await ann.call('PUT', `/mailboxes/${id}/autoreply`, { text: 'I am away.' })
    await ann.call('POST', '/mail/aliases', { domainId, localPart: 'on', targets: ['someone@elsewhere.example'] })
    await admin.call('PUT', '/system/settings', { variables: { MAIL_HOURLY_MAILBOX: 2, MAIL_HOURLY_DOMAIN: 3 } })

    const times = async (count: number, work: (time: number) => Promise<{ code: number }>) => {
      const codes: number[] = []
      for (let time = 0; time < count; time++) codes.push((await work(time)).code)
      return codes
    }
    const write = (from: string, to: string | string[]) => () => send({ port: ports.SUBMISSION, as: from, from, to })
    expect(await times(3, write(own('carl'), 'bob@others.example'))).toEqual([250, 250, 450])
    const many = Array.from({ length: 4 }, (_, index) => `m${index}@others.example`)
    expect(await times(1, write('bob@others.example', many))).toEqual([554])
    await eventually(async () => notices.some((text) => /^Subject: .*carl@filtered\.example/m.test(text)))
    expect(notices.filter((text) => /^Subject: .*carl@filtered\.example/m.test(text))).toHaveLength(1)

    await change({ greylisting: false })
    expect(await times(4, () => deliver('on', { to: own('on') }))).toEqual([250, 250, 250, 450])
    expect((await deliver('both', { to: [own('ann'), own('on')] })).code).toBe(450)
    expect((await deliver('ann alone')).code).toBe(250)

    const forge = (index: number) => deliver(`forged ${index}`, { from: `s${index}@others.example`, to: own('gone') })
    expect(await times(4, forge)).toEqual([250, 250, 250, 250])
    const inboxOf = (address: string) => readInbox(ports.IMAPS, address)
    await eventually(async () => (await inboxOf(own('gone'))).length === 4)
    const answers = async () =>
      (await inboxOf('bob@others.example')).filter((text) => text.includes('I am away.')).length
    await eventually(async () => (await answers()) === 2)
    expect((await forge(9)).code).toBe(250)
    await eventually(async () => (await inboxOf(own('gone'))).length === 5)
    expect(await answers()).toBe(2)
    await admin.call('PUT', '/system/settings', {
      variables: { MAIL_HOURLY_MAILBOX: null, MAIL_HOURLY_DOMAIN: null }
    })
  })

  test('a killed filter blocks nothing and is restarted', async () => {
    const { filter } = mailPaths(await mailDirectories({ DATA_DIR: panel.dataDir }))
    const before = await processesIn(filter.data)
    for (const pid of before) kill(pid, 'SIGKILL')
    expect((await deliver('meanwhile')).code).toBe(250)
    await arrivesIn('INBOX', 'meanwhile')
    await expect.poll(async () => (await deliver('again', { text: gtube })).code).toBe(554)
    expect(await processesIn(filter.data)).not.toEqual(expect.arrayContaining(before))
    await eventually(async () => (await filterStatus()) === 'running')
  })
})

describe('webmail', () => {
  const address = 'ann@shop.example'
  let mailboxId: string
  let domainId: string
  beforeAll(async () => {
    domainId = await newDomain(ann, 'shop.example')
    await ann.call('PATCH', `/mail/spam/${domainId}`, { enabled: false })
    mailboxId = (await newMailbox(ann, domainId, 'ann')).id
    await newMailbox(ann, domainId, 'bo')
    await until(webmailStatus, isUp, 600_000)
  })

  const webmailStatus = () =>
    browser()
      .visit('/')
      .then(({ status }) => status)
      .catch(() => 0)
  const isUp = (status: number) => status === 200
  const browser = (from?: string): Browser => openWebmail(panel, from)
  const activity = (client: Client) => client.call<WebmailActivity>('GET', '/mail/webmail/activity')
  const container = () =>
    docker(
      'ps',
      '--quiet',
      '--filter',
      `label=panel.instance=${panel.instanceId}`,
      '--filter',
      'label=panel.role=webmail'
    )

  test('the link fills in the address, over HTTPS only, and page assets load', async () => {
    const { url } = await ann.call<WebmailLink>('GET', `/mailboxes/${mailboxId}/webmail`)
    const { hostname, pathname, search } = new URL(url)
    expect(hostname).toBe('webmail.panel.test')
    expect(await panel.visit('webmail.panel.test', '/?_task=login')).toMatchObject({
      status: 301,
      headers: { location: 'https://webmail.panel.test/?_task=login' }
    })
    const { status, headers, body } = await browser().visit(pathname + search)
    expect(status).toBe(200)
    expect(body).toContain(`value="${address}"`)
    expect(body).toContain('name="_pass"')
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/; secure; HttpOnly; SameSite=Lax/i)])
    expect(headers).toMatchObject({
      'strict-transport-security': expect.stringContaining('max-age='),
      'content-security-policy': expect.stringContaining("frame-ancestors 'self'")
    })
    const paths = [...body.matchAll(/(?:src|href)="((?:skins|program|plugins)\/[^"]+)"/g)].map(([, path]) => path!)
    expect(paths.join()).toMatch(/bootstrap.*jquery/)
    for (const path of paths) expect([path, (await browser().visit(`/${path}`)).status]).toEqual([path, 200])
  })

  test('programs, settings and the internal page are inaccessible', async () => {
    for (const path of [
      '/config/config.inc.php',
      '/logs/errors.log',
      '/temp/',
      '/activity.php',
      '/installer/',
      '/plugins/panel/panel.php',
      '/program/lib/Roundcube/rcube.php',
      '/../../../etc/passwd'
    ])
      expect([path, (await browser().visit(path)).status]).toEqual([path, expect.toBeOneOf([400, 403, 404])])
  })

  describe('a user', () => {
    test('reads mail and sends a signed reply', async () => {
      const { code } = await send({
        port: ports.SMTP,
        from: 'boss@elsewhere.example',
        to: address,
        subject: 'for the web',
        plain: true
      })
      expect(code).toBe(250)
      await eventually(async () => (await readInbox(ports.IMAPS, address)).length === 1)
      const at = browser()
      expect(await at.logIn(address, password)).toBe(true)
      expect(await at.subjects()).toContain('for the web')
      await at.send({ to: 'bo@shop.example', subject: 'from the web', text: 'hello' })
      const [got] = await eventually(async () => {
        const all = await readInbox(ports.IMAPS, 'bo@shop.example')
        return all.length > 0 && all
      })
      expect(got).toMatch(/^Subject: from the web\r$/m)
      expect(got).toMatch(/^DKIM-Signature: .*d=shop\.example/m)
      await eventually(async () => (await readInbox(ports.IMAPS, address, 'Sent')).length === 1)
    })

    test('sees the filters on the mail server', async () => {
      const at = browser()
      await at.logIn(address, password)
      const { status, body } = await at.visit('/?_task=settings&_action=plugin.managesieve')
      expect([status, body.includes('filterslist')]).toEqual([200, true])
      expect(body).not.toContain('Unable to connect to server')
    })

    test('is visible to the mailbox owner only', async () => {
      const { logins } = await activity(ann)
      expect(logins.map(({ mailbox }) => mailbox)).toEqual([address])
      expect(Date.parse(logins[0]!.lastLogin)).toBeLessThanOrEqual(Date.now())
      expect(await activity(bob)).toEqual({ logins: [] })
    })

    test('guessing blocks that client only, not all webmail users', async () => {
      const guesser = () => browser('127.0.0.66')
      for (let n = 0; n < 10; n++) expect(await guesser().logIn('bo@shop.example', `a wrong one ${n}`)).toBe(false)
      expect(await guesser().logIn('bo@shop.example', password)).toBe(false)
      expect((await activity(ann)).logins.map(({ mailbox }) => mailbox)).toEqual([address])
      expect(await browser().logIn('bo@shop.example', password)).toBe(true)
    })
  })

  test('a recreated mailbox does not show mail or settings of the deleted one', async () => {
    const first = await newMailbox(ann, domainId, 'shared')
    const before = browser()
    expect(await before.logIn('shared@shop.example', password)).toBe(true)
    await before.addContact('a secret friend', 'friend@elsewhere.example')
    const again = browser()
    await again.logIn('shared@shop.example', password)
    expect(await again.contacts()).toContain('friend@elsewhere.example')
    await ann.call('DELETE', `/mailboxes/${first.id}`)
    await newMailbox(ann, domainId, 'shared')
    const after = browser()
    await eventually(() => after.logIn('shared@shop.example', password))
    expect(await after.contacts()).not.toContain('friend@elsewhere.example')
  })

  test('restarts after a kill with its data', async () => {
    const id = await container()
    const pid = () => docker('inspect', '--format', '{{.State.Pid}}', id)
    const ends = [
      (running: string) => process.kill(Number(running), 'SIGKILL'),
      // The engine restarts containers that exit on their own, not those stopped by a command.
      () => docker('kill', '--signal', 'KILL', id)
    ]
    for (const end of ends) {
      const former = await pid()
      await end(former)
      await until(pid, (now) => now !== former && now !== '0')
      await until(webmailStatus, isUp)
    }
    const at = browser()
    expect(await at.logIn(address, password)).toBe(true)
    expect((await activity(ann)).logins.map(({ mailbox }) => mailbox)).toContain(address)
  })

  test('an unreadable database is reported', async () => {
    await docker(
      'exec',
      await container(),
      'sh',
      '-c',
      'cd /var/lib/panel-webmail && rm -f *-wal *-shm && echo no database > roundcube.sqlite'
    )
    expect(await activity(ann)).toEqual({ logins: [], error: expect.any(String), code: 'SQLITE_QUERY_ERROR' })
    expect(await browser().logIn(address, password)).toBe(false)
    expect(await docker('logs', await container())).toMatch(/^errors: .*DB Error/m)
  })
})
