import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClientSettings } from '@panel/contract/mail-clients'
import { certificates } from '../src/db/schema/certificates.ts'
import { outlookSchema } from '../src/features/mail-clients/autodiscover.render.ts'
import { newId } from '../src/security/ids.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let domain: string
let domainId: string
let mailboxId: string
beforeAll(async () => {
  panel = await createTestPanel({ PANEL_DOMAIN: 'panel.example.net' })
  ann = await panel.signUp('ann')
  domain = uniqueDomain()
  domainId = (await addVerifiedDomain(ann, domain)).id
  mailboxId = (await newMailbox(ann, domainId)).id
})
afterAll(() => panel.close())

const settings = async () =>
  (await ann.request('GET', `/api/mailboxes/${mailboxId}/client-settings`)).json<ClientSettings>()
const get = (url: string, host = 'panel.example.net') => panel.app.inject({ url, headers: { host } })
const autoconfig = (address: string) => get(`/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(address)}`)
const request = (address: string) =>
  `<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006"><Request><EMailAddress>${address}</EMailAddress><AcceptableResponseSchema>${outlookSchema}</AcceptableResponseSchema></Request></Autodiscover>`
const autodiscover = (payload: string, type = 'text/xml') =>
  panel.app.inject({
    method: 'POST',
    url: '/autodiscover/autodiscover.xml',
    headers: { 'content-type': type },
    payload
  })
const parse = (text: string) => {
  expect(XMLValidator.validate(text)).toBe(true)
  return new XMLParser({ ignoreAttributes: false }).parse(text)
}

async function certify(hostname: string, values: object = {}): Promise<string> {
  const { id } = await addVerifiedDomain(ann, hostname)
  const certificateId = newId()
  await panel.deps.db.insert(certificates).values({
    id: certificateId,
    domainId: id,
    commonName: hostname,
    status: 'ACTIVE',
    chain: 'a chain',
    validTo: new Date(Date.now() + 1e9),
    ...values
  })
  return certificateId
}

describe('client settings', () => {
  test('name the domain’s host, with a warning until it has a certificate', async () => {
    const shown = await settings()
    const host = `mail.${domain}`
    expect(shown).toMatchObject({ address: `ann@${domain}`, username: `ann@${domain}`, isTrusted: false })
    expect(shown.services).toEqual([
      { service: 'IMAP', host, port: 993, security: 'TLS' },
      { service: 'IMAP', host, port: 143, security: 'STARTTLS' },
      { service: 'SMTP', host, port: 465, security: 'TLS' },
      { service: 'SMTP', host, port: 587, security: 'STARTTLS' },
      { service: 'ManageSieve', host, port: 4190, security: 'STARTTLS' }
    ])
    const hostsOf = async () => {
      const { services, isTrusted } = await settings()
      return [...new Set(services.map((each) => each.host)), isTrusted]
    }
    const selfSigned = await certify(host, { type: 'SELF_SIGNED' })
    expect(await hostsOf()).toEqual([host, false])
    await panel.deps.db
      .update(certificates)
      .set({ type: 'LETS_ENCRYPT', validTo: new Date(Date.now() - 1000) })
      .where(eq(certificates.id, selfSigned))
    expect(await hostsOf()).toEqual([host, false])
    await panel.deps.db
      .update(certificates)
      .set({ validTo: new Date(Date.now() + 1e9) })
      .where(eq(certificates.id, selfSigned))
    expect(await hostsOf()).toEqual([host, true])
  })

  test('are visible to the owner only', async () => {
    const bob = await panel.signUp('bob')
    for (const what of ['client-settings', 'apple-profile']) {
      expect(outcome(await bob.request('GET', `/api/mailboxes/${mailboxId}/${what}`))).toEqual([404, 'NOT_FOUND'])
      expect(outcome(await get(`/api/mailboxes/${mailboxId}/${what}`))).toEqual([401, 'UNAUTHENTICATED'])
    }
  })

  test('include an Apple profile', async () => {
    const answer = await ann.request('GET', `/api/mailboxes/${mailboxId}/apple-profile`)
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/x-apple-aspen-config/),
      'content-disposition': `attachment; filename="ann@${domain}.mobileconfig"`
    })
    expect(parse(answer.body).plist.dict.array.dict.integer).toEqual([1, 993, 465])
  })
})

describe('autodiscovery', () => {
  test('is the same for existing and missing mailboxes', async () => {
    const [there, missing] = [await autoconfig(`ann@${domain}`), await autoconfig(`nobody@${domain.toUpperCase()}`)]
    expect([there.statusCode, missing.statusCode]).toEqual([200, 200])
    expect(missing.body).toBe(there.body)
    expect(there.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(parse(there.body).clientConfig.emailProvider.domain).toBe(domain)
    const outlook = (name: string) => autodiscover(request(`${name}@${domain}`))
    expect((await outlook('nobody')).body).toBe((await outlook('ann')).body.replaceAll('ann@', 'nobody@'))
  })

  test('uses the hostname without an address', async () => {
    const byHost = await get('/mail/config-v1.1.xml', `autoconfig.${domain}`)
    const atDomain = await get('/.well-known/autoconfig/mail/config-v1.1.xml', domain)
    expect([byHost.statusCode, atDomain.body]).toEqual([200, byHost.body])
  })

  test('Outlook uses XML or JSON', async () => {
    const answer = await autodiscover(request(`ann@${domain}`), 'application/xml; charset=utf-8')
    expect(parse(answer.body).Autodiscover.Response.Account.Protocol).toMatchObject([
      { Type: 'IMAP', LoginName: `ann@${domain}` },
      { Type: 'SMTP', LoginName: `ann@${domain}` }
    ])
    const expected = {
      Protocol: 'AutodiscoverV1',
      Url: `https://autodiscover.${domain}/autodiscover/autodiscover.xml`
    }
    for (const url of [
      `/autodiscover/autodiscover.json?Email=ann@${domain}&Protocol=AutodiscoverV1&RedirectCount=1`,
      `/autodiscover/autodiscover.json?email=ann@${domain}&protocol=autodiscoverv1`,
      `/autodiscover/autodiscover.json/v1.0/ann@${domain}?Protocol=AutodiscoverV1`
    ])
      expect((await get(url)).json()).toEqual(expected)
    expect(outcome(await get(`/autodiscover/autodiscover.json?Email=ann@${domain}&Protocol=ActiveSync`))).toEqual([
      404,
      'NOT_FOUND'
    ])
  })

  test('returns nothing for other domains', async () => {
    const without = uniqueDomain()
    await addVerifiedDomain(ann, without)
    for (const name of [without, 'elsewhere.test', `x.${domain}`, '', 'a b', '*.example.com', '127.0.0.1', '<x>']) {
      expect([name, ...outcome(await autoconfig(`ann@${name}`))]).toEqual([name, 404, 'NOT_FOUND'])
      const json = await get(
        `/autodiscover/autodiscover.json?Email=ann@${encodeURIComponent(name)}&Protocol=AutodiscoverV1`
      )
      expect([name, ...outcome(json)]).toEqual([name, 404, 'NOT_FOUND'])
    }
    expect(outcome(await autodiscover(request('ann@elsewhere.test')))).toEqual([404, 'NOT_FOUND'])
  })

  test('refuses invalid requests', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(10)}">]>${request('&b;')}`
    expect(outcome(await autodiscover(bomb))).toEqual([400, 'VALIDATION_ERROR'])
    expect(outcome(await autodiscover(''))).toEqual([400, 'VALIDATION_ERROR'])
    expect(outcome(await autodiscover('ann'))).toEqual([400, 'VALIDATION_ERROR'])
    expect(outcome(await autodiscover(request('a'.repeat(17_000))))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(outcome(await autodiscover('{}', 'application/json'))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    const other = request(`ann@${domain}`).replace(outlookSchema, 'http://schemas.microsoft.com/mobilesync')
    expect(outcome(await autodiscover(other))).toEqual([404, 'NOT_FOUND'])
  })

  test('is rate limited per address', async () => {
    const ask = () => panel.app.inject({ url: '/mail/config-v1.1.xml', remoteAddress: '198.51.100.7' })
    const statuses = new Set<number>()
    for (let times = 0; times < 121; times++) statuses.add((await ask()).statusCode)
    expect([...statuses]).toEqual([404, 429])
    expect((await autoconfig(`ann@${domain}`)).statusCode).toBe(200)
  })
})
