import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { maxAliasTargets, type MailAlias, type MailAliasList } from '@panel/contract/mailboxes'
import { mailAliases } from '../src/db/schema/mail-aliases.ts'
import { reconcileMail } from '../src/features/mailboxes/mail.reconcile.ts'
import { newId } from '../src/security/ids.ts'
import { mailServerUnavailable, type MemoryMailServer } from './fakes/memory-mail-server.ts'
import { addDomain, addVerifiedDomain } from './support/domains.ts'
import { createAlias, mailServerOf, newAlias, newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let server: MemoryMailServer
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel()
  server = mailServerOf(panel)
  await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
afterEach(() => {
  server.before = async () => {}
})

const newDomain = (by = ann) => addVerifiedDomain(by, uniqueDomain())
const change = (by: Client, id: string, ...targets: string[]) =>
  by.request('PATCH', `/api/mail/aliases/${id}`, { targets })
const remove = (by: Client, id: string) => by.request('DELETE', `/api/mail/aliases/${id}`)
const list = async (by: Client, query = '') =>
  (await by.request('GET', `/api/mail/aliases${query}`)).json<MailAliasList>().aliases.map(({ address }) => address)
const served = (name: string, localPart?: string) =>
  server.domains.get(name)?.aliases.find((alias) => alias.localPart === localPart)?.targets
const actionsOn = async (targetId: string) => (await panel.audited({ targetId })).map((entry) => entry.action)

describe('an alias', () => {
  test('has normalized and unique targets', async () => {
    const { id: domainId, hostname } = await newDomain()
    const answer = await createAlias(ann, domainId, 'Sales', 'Ann@Example.NET', 'ann@example.net', `bob@${hostname}`)
    const alias = answer.json<MailAlias>()
    expect([answer.statusCode, alias]).toEqual([
      201,
      {
        id: alias.id,
        domainId,
        address: `sales@${hostname}`,
        localPart: 'sales',
        targets: ['ann@example.net', `bob@${hostname}`],
        createdAt: alias.createdAt,
        updatedAt: alias.updatedAt
      }
    ])
    expect(served(hostname, 'sales')).toEqual(alias.targets)
    expect((await ann.request('GET', `/api/mail/aliases/${alias.id}`)).json()).toEqual(alias)

    expect((await change(ann, alias.id, 'carol@example.net')).json()).toMatchObject({ targets: ['carol@example.net'] })
    expect(served(hostname, 'sales')).toEqual(['carol@example.net'])
    expect((await remove(ann, alias.id)).statusCode).toBe(200)
    expect(served(hostname, 'sales')).toBeUndefined()
    expect(outcome(await remove(ann, alias.id))).toEqual([404, 'NOT_FOUND'])
    expect(await actionsOn(alias.id)).toEqual(['mail_alias.created', 'mail_alias.updated', 'mail_alias.deleted'])
  })

  test('can be a catch-all or coexist with a mailbox', async () => {
    const { id, hostname } = await newDomain()
    await newMailbox(ann, id)
    expect(await newAlias(ann, id, '*', `ann@${hostname}`)).toMatchObject({ address: `*@${hostname}`, localPart: '*' })
    await newAlias(ann, id, 'ann', 'copy@example.net')
    expect([served(hostname), served(hostname, 'ann')]).toEqual([[`ann@${hostname}`], ['copy@example.net']])
    expect(server.domains.get(hostname)!.mailboxes).toHaveLength(1)
  })

  test('is an allowed sender for target mailboxes of its account', async () => {
    const { id, hostname } = await newDomain()
    const [branch, rival] = [await newDomain(), await newDomain(bob)]
    await newAlias(ann, id, 'sales', `eve@${branch.hostname}`, `eve@${rival.hostname}`, 'eve@example.net')
    const senders = async () => {
      await reconcileMail(panel.deps)
      return server.domains.get(hostname)?.aliases.find(({ localPart }) => localPart === 'sales')?.senders
    }
    await newMailbox(bob, rival.id, { localPart: 'eve' })
    expect(await senders()).toEqual([])
    await newMailbox(ann, branch.id, { localPart: 'eve' })
    expect(await senders()).toEqual([`eve@${branch.hostname}`])
    expect((await ann.request('DELETE', `/api/domains/${branch.id}`)).statusCode).toBe(204)
    expect(await senders()).toEqual([])
  })

  test('is unique', async () => {
    const { id } = await newDomain()
    const answers = await Promise.all(Array.from({ length: 5 }, () => createAlias(ann, id, 'sales', 'ann@example.net')))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409, 409, 409])
    expect(outcome(await createAlias(ann, id, 'SALES', 'ann@example.net'))).toEqual([409, 'MAIL_ALIAS_EXISTS'])
    expect((await createAlias(ann, id, '*', 'ann@example.net')).statusCode).toBe(201)
    expect(outcome(await createAlias(ann, id, '*', 'bob@example.net'))).toEqual([409, 'MAIL_ALIAS_EXISTS'])
  })

  test.each<[object, string]>([
    [{ localPart: '' }, 'localPart'],
    [{ localPart: '**' }, 'localPart'],
    [{ localPart: '@' }, 'localPart'],
    [{ localPart: 'a+b' }, 'localPart'],
    [{ localPart: 'mailer-daemon' }, 'localPart'],
    [{ targets: [] }, 'targets'],
    [{ targets: 'ann@example.net' }, 'targets'],
    [{ targets: Array.from({ length: maxAliasTargets + 1 }, (_, at) => `a${at}@example.net`) }, 'targets'],
    [{ targets: ['ann@example.net', 'nobody'] }, 'targets.1'],
    [{ targets: ['|/bin/sh@example.net'] }, 'targets.0'],
    [{ targets: ['ann@example.net, bob@example.net'] }, 'targets.0'],
    [{ targets: ['ann@example.net\nroot@example.net'] }, 'targets.0']
  ])('refuses %j', async (values, path) => {
    const { id } = await newDomain()
    const body = { domainId: id, localPart: 'sales', targets: ['ann@example.net'], ...values }
    const answer = await ann.request('POST', '/api/mail/aliases', body)
    expect([...outcome(answer), answer.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })

  test('requires an own verified domain; another’s is 404', async () => {
    const unverified = await addDomain(ann, uniqueDomain())
    expect(outcome(await createAlias(ann, unverified.id, 'a', 'b@example.net'))).toEqual([409, 'DOMAIN_NOT_ACTIVE'])
    const foreign = await newDomain(bob)
    expect(outcome(await createAlias(ann, foreign.id, 'a', 'b@example.net'))).toEqual([404, 'NOT_FOUND'])
    const alias = await newAlias(bob, foreign.id, 'a', 'b@example.net')
    for (const answer of [
      await ann.request('GET', `/api/mail/aliases/${alias.id}`),
      await change(ann, alias.id, 'c@example.net'),
      await change(ann, alias.id, 'rubbish'),
      await remove(ann, alias.id)
    ])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND'])
    expect(await list(ann, `?domainId=${foreign.id}`)).toEqual([])
  })

  test('a domain has at most 1,000', async () => {
    const { id } = await newDomain()
    await newAlias(ann, id, 'first', 'ann@example.net')
    const rows = Array.from({ length: 999 }, (_, at) => ({
      id: newId(),
      domainId: id,
      localPart: `a${at}`,
      targets: ['x@example.net']
    }))
    await panel.deps.db.insert(mailAliases).values(rows)
    expect(outcome(await createAlias(ann, id, 'last', 'ann@example.net'))).toEqual([403, 'QUOTA_EXCEEDED'])
  })

  test('changes work while mail servers are down', async () => {
    const { id, hostname } = await newDomain()
    server.before = async () => {
      throw mailServerUnavailable()
    }
    const { id: aliasId } = await newAlias(ann, id, 'sales', 'ann@example.net')
    expect(served(hostname, 'sales')).toBeUndefined()
    server.before = async () => {}
    await change(ann, aliasId, 'bob@example.net')
    expect(served(hostname, 'sales')).toEqual(['bob@example.net'])
  })
})

test('the list has own aliases by address, paginated', async () => {
  const [one, two] = [await newDomain(bob), await newDomain(bob)]
  for (const localPart of ['c', '*', 'a']) await newAlias(bob, one.id, localPart, 'x@example.net')
  await newAlias(bob, two.id, 'b', 'x@example.net')
  expect(await list(bob, `?domainId=${one.id}`)).toEqual([
    `*@${one.hostname}`,
    `a@${one.hostname}`,
    `c@${one.hostname}`
  ])
  expect(await list(bob, `?domainId=${one.id}&limit=2&page=2`)).toEqual([`c@${one.hostname}`])
  expect(await list(bob, `?domainId=${one.id}&order=created&limit=1`)).toEqual([`a@${one.hostname}`])
  expect(await list(bob, `?search=B@${two.hostname}`)).toEqual([`b@${two.hostname}`])
  expect(await list(ann, `?search=${one.hostname}`)).toEqual([])
})

describe('alias loops are refused', () => {
  const loop = [409, 'MAIL_ALIAS_LOOP']

  test('of one alias', async () => {
    const { id, hostname } = await newDomain()
    expect(outcome(await createAlias(ann, id, 'a', `A@${hostname}`))).toEqual([400, 'VALIDATION_ERROR'])
    expect(outcome(await createAlias(ann, id, 'a', `a+detail@${hostname}`))).toEqual(loop)
  })

  test('of two and three, without leftovers', async () => {
    const { id, hostname } = await newDomain()
    await newAlias(ann, id, 'a', `b@${hostname}`, 'x@example.net')
    expect(outcome(await createAlias(ann, id, 'b', 'y@example.net', `a@${hostname}`))).toEqual(loop)
    const b = await newAlias(ann, id, 'b', `c@${hostname}`)
    expect(outcome(await createAlias(ann, id, 'c', `a@${hostname}`))).toEqual(loop)
    expect(await list(ann, `?domainId=${id}`)).toEqual([`a@${hostname}`, `b@${hostname}`])
    expect(outcome(await change(ann, b.id, `a@${hostname}`))).toEqual(loop)
    expect(served(hostname, 'b')).toEqual([`c@${hostname}`])
  })

  test('through the catch-all', async () => {
    const { id, hostname } = await newDomain()
    expect(outcome(await createAlias(ann, id, '*', `nobody@${hostname}`))).toEqual(loop)
    await newMailbox(ann, id)
    await newAlias(ann, id, '*', `ann@${hostname}`)
    expect(outcome(await createAlias(ann, id, 'ann', `nobody@${hostname}`))).toEqual(loop)
  })

  test('across accounts', async () => {
    const [hers, his] = [await newDomain(), await newDomain(bob)]
    await newAlias(ann, hers.id, 'a', `b@${his.hostname}`)
    expect(outcome(await createAlias(bob, his.id, 'b', `a@${hers.hostname}`))).toEqual(loop)
    expect((await createAlias(bob, his.id, 'b', `c@${hers.hostname}`)).statusCode).toBe(201)
  })

  test('chains that are too long, too', async () => {
    const { id, hostname } = await newDomain()
    for (let at = 0; at < 10; at++)
      await newAlias(ann, id, `a${at}`, at === 0 ? 'x@example.net' : `a${at - 1}@${hostname}`)
    expect((await createAlias(ann, id, 'a10', `a9@${hostname}`)).statusCode).toBe(201)
    expect(outcome(await createAlias(ann, id, 'a11', `a10@${hostname}`))).toEqual(loop)
  })
})

describe('autoreply', () => {
  const reply = {
    subject: 'Away',
    text: 'I am away.\nBack on "Monday".',
    from: '2026-01-01T08:00:00+01:00',
    until: null
  }
  const put = (by: Client, id: string, body: object) => by.request('PUT', `/api/mailboxes/${id}/autoreply`, body)
  const show = (by: Client, id: string) => by.request('GET', `/api/mailboxes/${id}/autoreply`)
  const scriptOf = (name: string) => server.domains.get(name)!.mailboxes[0]!.sieve

  test('is set, read and removed', async () => {
    const { id: domainId, hostname } = await newDomain()
    const { id } = await newMailbox(ann, domainId)
    await newAlias(ann, domainId, 'sales', `ann@${hostname}`)
    expect(outcome(await show(ann, id))).toEqual([404, 'NOT_FOUND'])
    const answer = await put(ann, id, reply)
    expect([answer.statusCode, answer.json()]).toEqual([200, { ...reply, from: '2026-01-01T07:00:00.000Z' }])
    expect((await show(ann, id)).json()).toEqual(answer.json())
    expect((await ann.request('GET', `/api/mailboxes/${id}`)).json()).toMatchObject({ autoreply: true })
    expect(scriptOf(hostname)).toContain('I am away.\r\nBack on \\"Monday\\".')
    expect(scriptOf(hostname)).toContain(`:addresses ["ann@${hostname}", "sales@${hostname}"]`)
    expect((await ann.request('DELETE', `/api/mailboxes/${id}/autoreply`)).statusCode).toBe(200)
    expect((await ann.request('DELETE', `/api/mailboxes/${id}/autoreply`)).statusCode).toBe(200)
    expect([outcome(await show(ann, id)), scriptOf(hostname)]).toEqual([[404, 'NOT_FOUND'], undefined])
    expect(await actionsOn(id)).toEqual(['mailbox.created', 'mailbox.autoreply_set', 'mailbox.autoreply_removed'])
  })

  test.each<[object, string]>([
    [{ text: undefined }, 'text'],
    [{ text: ' \n ' }, 'text'],
    [{ text: 'a\u0000b' }, 'text'],
    [{ text: 'a\u001b[2Jb' }, 'text'],
    [{ text: 'x'.repeat(10_001) }, 'text'],
    [{ text: 'half \ud800' }, 'text'],
    [{ subject: 'a\nBcc: everybody@example.net' }, 'subject'],
    [{ subject: '' }, 'subject'],
    [{ from: 'tomorrow' }, 'from'],
    [{ until: '2025-12-31T00:00:00Z' }, 'until'],
    [{ until: reply.from }, 'until']
  ])('refuses %j', async (values, path) => {
    const { id } = await newMailbox(ann, (await newDomain()).id)
    const answer = await put(ann, id, { ...reply, ...values })
    expect([...outcome(answer), answer.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })

  test('another’s is 404', async () => {
    const { id } = await newMailbox(ann, (await newDomain()).id)
    for (const answer of [await put(bob, id, reply), await put(bob, id, {}), await show(bob, id)])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND'])
  })
})
