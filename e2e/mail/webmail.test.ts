import type { WebmailActivity, WebmailLink } from '@panel/contract/webmail'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, openImap, password, readInbox, send } from './servers.harness.ts'
import { docker } from '../support/engine.ts'
import { type MailPorts, startMailPanel } from '../support/mail-panel.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { type Browser, openWebmail } from '../support/webmail.ts'

let panel: RunningPanel
let ports: MailPorts
let ann: Client
let bob: Client
let mailboxId: string
let domainId: string
const address = 'ann@shop.example'
beforeAll(async () => {
  ;({ panel, ports } = await startMailPanel({ WEBMAIL: 'on' }))
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  domainId = (await ann.call<{ id: string }>('POST', '/domains', { hostname: 'shop.example' })).id
  await ann.call('POST', `/domains/${domainId}/verify?mock=true`)
  mailboxId = (await newMailbox('ann')).id
  await newMailbox('bo')
  await until(webmailStatus, isUp, 600_000)
})
afterAll(() => panel?.dispose())

const webmailStatus = () =>
  browser()
    .visit('/')
    .then(({ status }) => status)
    .catch(() => 0)
const isUp = (status: number) => status === 200
const newMailbox = (localPart: string) =>
  ann.call<{ id: string }>('POST', '/mailboxes', { domainId, localPart, password })
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

test('the link fills in the address and asks for the password', async () => {
  const { url } = await ann.call<WebmailLink>('GET', `/mailboxes/${mailboxId}/webmail`)
  const { hostname, pathname, search } = new URL(url)
  expect(hostname).toBe('webmail.panel.test')
  const page = await browser().visit(pathname + search)
  expect(page.status).toBe(200)
  expect(page.body).toContain(`value="${address}"`)
  expect(page.body).toContain('name="_pass"')
})

test('passwords are never sent in clear text', async () => {
  expect(await panel.visit('webmail.panel.test', '/?_task=login')).toMatchObject({
    status: 301,
    headers: { location: 'https://webmail.panel.test/?_task=login' }
  })
  const { headers } = await browser().visit('/')
  expect(headers['set-cookie']).toEqual([expect.stringMatching(/; secure; HttpOnly; SameSite=Lax/i)])
  expect(headers).toMatchObject({
    'strict-transport-security': expect.stringContaining('max-age='),
    'content-security-policy': expect.stringContaining("frame-ancestors 'self'")
  })
})

test('page assets load', async () => {
  const { body } = await browser().visit('/')
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
  const first = await newMailbox('shared')
  const before = browser()
  expect(await before.logIn('shared@shop.example', password)).toBe(true)
  await before.addContact('a secret friend', 'friend@elsewhere.example')
  const again = browser()
  await again.logIn('shared@shop.example', password)
  expect(await again.contacts()).toContain('friend@elsewhere.example')
  await ann.call('DELETE', `/mailboxes/${first.id}`)
  await newMailbox('shared')
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

test('mail clients keep working beside it', async () => {
  await (await openImap(ports.IMAPS, address)).logout()
})
