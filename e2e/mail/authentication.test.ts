import { Resolver } from 'node:dns/promises'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { authenticate } from 'mailauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MailAuthCheckResult, MailDomain } from '@panel/contract/mail-auth'
import type { DkimKey, DkimRotation } from '@panel/contract/dkim-keys'
import type { Mailbox } from '@panel/contract/mailboxes'
import { knotPaths } from '../../packages/server/src/infra/dns-server/knot-paths.ts'
import { mailPaths } from '../../packages/server/src/infra/mail-server/mail-paths.ts'
import { findProcesses } from '../../packages/server/src/infra/process/find-processes.ts'
import { dnsServerPaths, mailDirectories } from '../../packages/server/src/process/paths.ts'
import { eventually, password, readInbox, send } from './servers.harness.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { kill, pause } from '../support/processes.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

/** Records come from our own name server; signatures are verified by an independent library. */
const serverIp = '192.0.2.10'
let world: World
let panel: RunningPanel
let ports: MailPorts
let ann: Client
beforeAll(async () => {
  world = await sharedWorld()
  ;({ panel, ports } = world)
  await world.change({ SERVER_IP: serverIp })
  ann = await panel.signUp()
})
afterAll(() => world.change({ SERVER_IP: null }))

interface TestDomain {
  id: string
  name: string
}

async function newDomain(mode: 'MANAGED' | 'CONNECTED' = 'MANAGED'): Promise<TestDomain> {
  const name = world.newName('signed')
  const { id } = await (mode === 'MANAGED' ? world.addManaged(name, ann) : world.dns.addDomain(ann, name))
  return { id, name }
}
const newMailbox = ({ id }: TestDomain, localPart = 'ann') =>
  ann.call<Mailbox>('POST', '/mailboxes', { domainId: id, localPart, password })
const shown = async ({ id }: TestDomain) =>
  (await ann.call<{ domains: MailDomain[] }>('GET', '/mail/domains?limit=100')).domains.find(
    ({ domainId }) => domainId === id
  )!
const rotate = ({ id }: TestDomain) => ann.call<DkimRotation>('POST', `/mail/dkim/${id}/rotate`)
const keysOf = async ({ id }: TestDomain) => (await ann.call<{ keys: DkimKey[] }>('GET', `/mail/dkim/${id}`)).keys

const ask = (name: string, type: string) => {
  const resolver = new Resolver({ timeout: 5_000 })
  resolver.setServers([`127.0.0.1:${panel.dnsPort}`])
  return resolver.resolve(name, type as 'TXT')
}
const txt = async (name: string) => (await ask(name, 'TXT').catch(() => [])).map((parts) => parts.join(''))

let messages = 0
async function sendOne({ name }: TestDomain): Promise<string> {
  const subject = `message ${++messages}`
  const address = `ann@${name}`
  // While the signer restarts, mail is deferred and clients retry.
  const isTaken = async () => {
    const sent = await send({ port: ports.SUBMISSION, as: address, from: address, to: address, subject })
    expect(sent.code).toBeLessThan(500)
    return sent.code === 250
  }
  await eventually(isTaken)
  return eventually(async () =>
    (await readInbox(ports.IMAPS, address)).find((message) => message.includes(`Subject: ${subject}\r\n`))
  )
}

async function verify(message: string, { name }: TestDomain, resolver: typeof ask = ask) {
  const { dkim, spf, dmarc } = await authenticate(Buffer.from(message, 'latin1'), {
    ip: serverIp,
    helo: 'mail.panel.test',
    sender: `ann@${name}`,
    resolver: resolver as never,
    disableArc: true,
    disableBimi: true
  })
  return {
    dkim: dkim.results.map(({ status, signingDomain, selector }) => [status.result, signingDomain, selector]),
    spf: spf && spf.status.result,
    dmarc: dmarc && dmarc.status.result
  }
}
const passing = ({ name }: TestDomain, selector: string) => ({
  dkim: [['pass', name, selector]],
  spf: 'pass',
  dmarc: 'pass'
})

const signedBy = ({ selector }: DkimKey, domain: TestDomain): Promise<string> =>
  eventually(async () => {
    const message = await sendOne(domain)
    const found = await verify(message, domain)
    expect(found).toMatchObject({ spf: 'pass', dmarc: 'pass' })
    return found.dkim[0]![2] === selector && found.dkim[0]![0] === 'pass' ? message : undefined
  })

test('the first mailbox creates the records, and its mail passes SPF, DKIM and DMARC', async () => {
  const domain = await newDomain()
  expect(await ask(domain.name, 'MX').catch((error: { code: string }) => error.code)).toBe('ENODATA')
  await newMailbox(domain)
  const { dkimRecord, ...listed } = await shown(domain)
  expect(listed).toMatchObject({ deliverabilityScore: 100, deliverabilityGrade: 'Excellent', dkimEnabled: true })
  expect(await txt(domain.name)).toContain(`v=spf1 mx a ip4:${serverIp} ~all`)
  expect(await txt(`_dmarc.${domain.name}`)).toEqual([
    `v=DMARC1; p=none; rua=mailto:postmaster@${domain.name}; pct=100`
  ])
  expect(await txt(`default._domainkey.${domain.name}`)).toEqual([dkimRecord])
  expect(await ask(domain.name, 'MX')).toEqual([{ exchange: `mail.${domain.name}`, priority: 10 }])
  expect(await ask(`mail.${domain.name}`, 'A')).toEqual(['127.0.0.1'])
  const message = await sendOne(domain)
  expect(await verify(message, domain)).toEqual(passing(domain, 'default'))
  expect((await verify(message.replace('xxxx', 'yyyy'), domain)).dkim).toEqual([['neutral', domain.name, 'default']])
})

test('a hanging signer and name server do not block the first mailbox, which is signed and published later', async () => {
  const domain = await newDomain()
  const { config } = knotPaths(await dnsServerPaths({ DATA_DIR: panel.dataDir }))
  const { dkim } = mailPaths(await mailDirectories({ DATA_DIR: panel.dataDir }))
  const hanging = [
    ...(await findProcesses('knotd', config)).keys(),
    ...(await findProcesses('opendkim', dkim.config)).keys()
  ]
  expect(hanging.length).toBeGreaterThan(1)
  await Promise.all(hanging.map((pid) => pause(pid)))
  try {
    const mailbox = await newMailbox(domain)
    expect(mailbox.address).toBe(`ann@${domain.name}`)
    expect((await keysOf(domain)).map(({ status }) => status)).toEqual(['ACTIVE'])
  } finally {
    for (const pid of hanging) kill(pid, 'SIGCONT')
  }
  await eventually(async () => (await txt(`default._domainkey.${domain.name}`)).length === 1)
  await signedBy((await keysOf(domain))[0]!, domain)
})

describe('rotation', () => {
  test('the next message uses the new key, and mail in transit still verifies', async () => {
    const domain = await newDomain()
    await newMailbox(domain)
    const before = await sendOne(domain)
    const { newKey, oldKey } = await rotate(domain)
    expect([newKey.isSigning, newKey.inDns, oldKey.status]).toEqual([true, true, 'RETIRING'])
    const after = await sendOne(domain)
    expect(await verify(before, domain)).toEqual(passing(domain, 'default'))
    expect(await verify(after, domain)).toEqual(passing(domain, newKey.selector))
    await ann.call('POST', `/mail/dkim/${domain.id}/keys/${oldKey.id}/retire`, { force: true })
    expect(await txt(oldKey.recordName)).toEqual([])
    expect((await verify(before, domain)).dkim).toEqual([['neutral', domain.name, 'default']])
    expect(await verify(await sendOne(domain), domain)).toEqual(passing(domain, newKey.selector))
  })

  test('the old key signs while the name server is down, the new one afterwards', async () => {
    const domain = await newDomain()
    await newMailbox(domain)
    const { config } = knotPaths(await dnsServerPaths({ DATA_DIR: panel.dataDir }))
    const [knot] = [...(await findProcesses('knotd', config)).keys()]
    await pause(knot!)
    const { newKey } = await rotate(domain).finally(() => undefined)
    const meanwhile = newKey.isSigning ? undefined : await sendOne(domain)
    kill(knot!, 'SIGCONT')
    await expect.poll(async () => (await keysOf(domain))[0]!.isSigning).toBe(true)
    await signedBy(newKey, domain)
    // The panel may have replaced the hanging server before the query.
    if (meanwhile !== undefined) expect(await verify(meanwhile, domain)).toEqual(passing(domain, 'default'))
  })

  test('a kill leaves one signing key, every message verifies, and keys removed by hand are restored', async () => {
    const domain = await newDomain()
    await newMailbox(domain)
    const { dkim } = mailPaths(await mailDirectories({ DATA_DIR: panel.dataDir }))
    const sent = [await sendOne(domain)]
    const rotating = ann.request('POST', `/mail/dkim/${domain.id}/rotate`).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await panel.kill()
    await rotating
    sent.push(await sendOne(domain))
    await writeFile(dkim.signingTable, '')
    await rm(join(dkim.keys, domain.name), { recursive: true })
    await panel.start()
    await eventually(async () => (await readdir(dkim.keys)).includes(domain.name))
    await expect.poll(async () => (await keysOf(domain))[0]!.isSigning).toBe(true)
    const keys = await keysOf(domain)
    sent.push(await signedBy(keys[0]!, domain))
    expect(keys.filter(({ status }) => status === 'ACTIVE')).toHaveLength(1)
    for (const message of sent) expect((await verify(message, domain)).dkim[0]![0]).toBe('pass')
    expect(await verify(sent.at(-1)!, domain)).toEqual(passing(domain, keys[0]!.selector))
  })
})

test('a deleted domain leaves no key', async () => {
  const domain = await newDomain()
  await newMailbox(domain)
  const { dkim } = mailPaths(await mailDirectories({ DATA_DIR: panel.dataDir }))
  expect(await readdir(dkim.keys)).toContain(domain.name)
  await ann.call('DELETE', `/domains/${domain.id}`)
  expect(await readdir(dkim.keys)).not.toContain(domain.name)
})

test('a CONNECTED domain passes with the required records; rotation signs at once', async () => {
  const domain = await newDomain('CONNECTED')
  await newMailbox(domain)
  const added = new Map<string, string[]>()
  const add = ({ requiredRecords }: MailDomain) => {
    for (const { type, name, value } of requiredRecords) added.set(`${type} ${name}`, [value])
  }
  const elsewhere = async (name: string, type: string): Promise<string[][]> => {
    const found = added.get(`${type} ${name}`)
    if (!found) throw Object.assign(new Error('not there'), { code: 'ENOTFOUND' })
    return (type === 'TXT' ? found.map((value) => [value]) : found) as string[][]
  }
  add(await ann.call<MailAuthCheckResult>('POST', `/mail/auth/${domain.id}/check`))
  const before = await sendOne(domain)
  expect(await verify(before, domain, elsewhere)).toEqual(passing(domain, 'default'))
  const { newKey } = await rotate(domain)
  expect([newKey.isSigning, newKey.inDns]).toEqual([true, false])
  const after = await sendOne(domain)
  expect((await verify(after, domain, elsewhere)).dkim).toEqual([['neutral', domain.name, newKey.selector]])
  add(await shown(domain))
  expect(await verify(after, domain, elsewhere)).toEqual(passing(domain, newKey.selector))
  expect(await verify(before, domain, elsewhere)).toEqual(passing(domain, 'default'))
})
