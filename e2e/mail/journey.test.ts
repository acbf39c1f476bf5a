import type { Mailbox } from '@panel/contract/mailboxes'
import type { MailDomainList } from '@panel/contract/mail-auth'
import { beforeAll, expect, test } from 'vitest'
import { canLogIn, eventually, password, readInbox, send } from './servers.harness.ts'
import { dig } from '../support/dns-environment.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import type { Client } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

let world: World
let ports: MailPorts
let ann: Client
beforeAll(async () => {
  world = await sharedWorld()
  ports = world.ports
  ann = await world.panel.signUp()
})

async function newDomain(): Promise<{ id: string; name: string }> {
  const { id, hostname } = await world.addManaged(world.newName('mail'), ann)
  return { id, name: hostname }
}
const newMailbox = (domainId: string, localPart: string) =>
  ann.call<Mailbox>('POST', '/mailboxes', { domainId, localPart, password })
const newAlias = (domainId: string, localPart: string, ...targets: string[]) =>
  ann.call<{ id: string }>('POST', '/mail/aliases', { domainId, localPart, targets })
const deliver = (to: string, subject: string) =>
  send({ port: ports.SMTP, from: 'bob@elsewhere.example', to, subject, plain: true })
const subjects = async (user: string) =>
  (await readInbox(ports.IMAPS, user)).map((message) => /^Subject: (.*)\r$/m.exec(message)?.[1])
const arrived = (user: string, subject: string) => eventually(async () => (await subjects(user)).includes(subject))

test('a new mailbox logs in, sends and receives, and the list shows its size', async () => {
  const { id, name } = await newDomain()
  for (const localPart of ['ann', 'bea']) await newMailbox(id, localPart)
  expect(await canLogIn(ports.IMAPS, `ann@${name}`)).toBe(true)
  expect(await canLogIn(ports.IMAPS, `ann@${name}`, 'another password')).toBe(false)
  const sent = await send({
    port: ports.SUBMISSION,
    as: `ann@${name}`,
    from: `ann@${name}`,
    to: `bea@${name}`,
    subject: 'first'
  })
  expect(sent.code).toBe(250)
  await arrived(`bea@${name}`, 'first')
  expect((await deliver(`ann@${name}`, 'from outside')).code).toBe(250)
  await arrived(`ann@${name}`, 'from outside')
  expect((await deliver(`nobody@${name}`, 'lost')).code).toBe(550)
  const { mailboxes } = await ann.call<{ mailboxes: Mailbox[] }>('GET', `/mailboxes?domainId=${id}`)
  expect(mailboxes.map(({ address, usage }) => [address, usage?.messages])).toEqual([
    [`ann@${name}`, 1],
    [`bea@${name}`, 1]
  ])
})

test('authenticated mail is signed with the published key', async () => {
  const { id, name } = await newDomain()
  const { address } = await newMailbox(id, 'ann')
  await send({ port: ports.SUBMISSION, as: address, from: address, to: address, subject: 'signed' })
  await arrived(address, 'signed')
  const [message] = await readInbox(ports.IMAPS, address)
  const [, signature = ''] = /^DKIM-Signature:(.*(?:\r\n[ \t].*)*)/m.exec(message!) ?? []
  const tag = (name: string) => new RegExp(`[; \\t]${name}=([^;\\s]+)`).exec(signature)?.[1]
  expect(tag('d')).toBe(name)
  const { values } = await dig(world.panel, `${tag('s')}._domainkey.${name}`, 'TXT')
  expect(values).toEqual([expect.stringContaining('v=DKIM1')])
  const { domains } = await ann.call<MailDomainList>('GET', '/mail/domains')
  expect(domains.find(({ domainId }) => domainId === id)).toMatchObject({ dkimEnabled: true })
})

test('aliases, catch-all and postmaster are delivered', async () => {
  const { id, name } = await newDomain()
  await newMailbox(id, 'ann')
  await newMailbox(id, 'bea')
  await newAlias(id, 'sales', `ann@${name}`, `bea@${name}`)
  expect((await deliver(`sales@${name}`, 'to both')).code).toBe(250)
  for (const localPart of ['ann', 'bea']) await arrived(`${localPart}@${name}`, 'to both')
  const { id: catchAll } = await newAlias(id, '*', `bea@${name}`)
  expect((await deliver(`anybody@${name}`, 'caught')).code).toBe(250)
  await arrived(`bea@${name}`, 'caught')
  expect((await deliver(`ann@${name}`, 'not caught')).code).toBe(250)
  await arrived(`ann@${name}`, 'not caught')
  expect(await subjects(`bea@${name}`)).not.toContain('not caught')
  await ann.call('DELETE', `/mail/aliases/${catchAll}`)
  expect((await deliver(`anybody@${name}`, 'lost')).code).toBe(550)
  expect((await deliver(`postmaster@${name}`, 'to the owner')).code).toBe(250)
})
