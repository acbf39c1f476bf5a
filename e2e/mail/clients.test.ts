import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { CreatedDomain } from '@panel/contract/domains'
import type { MailAuthCheckResult, MtaSts } from '@panel/contract/mail-auth'
import type { ClientSettings } from '@panel/contract/mail-clients'
import type { Mailbox } from '@panel/contract/mailboxes'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { openImap, password, readInbox, send } from './servers.harness.ts'
import { dig } from '../support/dns-environment.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { handshake } from '../support/tls-clients.ts'

const labels = ['autoconfig', 'autodiscover', 'mail', 'mta-sts']
const serverIp = '8.8.4.4'
let environment: World
let ports: MailPorts
let domain: CreatedDomain
let mailbox: Mailbox
let ca: string
beforeAll(async () => {
  environment = await sharedWorld()
  ports = environment.ports
  ca = await environment.pebble.rootPem()
  domain = await newDomain()
  mailbox = await newMailbox(domain)
  await untilTrusted(domain)
})

async function newDomain(): Promise<CreatedDomain> {
  const hostname = environment.newName()
  for (const label of labels) environment.dns.set(`${label}.${hostname}`, 'A', ['127.0.0.1'])
  return environment.addManaged(hostname)
}
const newMailbox = ({ id }: CreatedDomain) =>
  environment.ann.call<Mailbox>('POST', '/mailboxes', { domainId: id, localPart: 'ann', password })
const untilTrusted = async ({ hostname }: CreatedDomain) => {
  for (const label of labels)
    await until(
      () => environment.shakeHands(`${label}.${hostname}`),
      ({ isTrusted }) => isTrusted,
      120_000
    )
}

interface Answer {
  status: number
  body: string
  headers: IncomingHttpHeaders
}
async function ask(hostname: string, path: string, body?: string, type = 'text/xml'): Promise<Answer> {
  const sent = request({
    host: '127.0.0.1',
    port: environment.panel.proxyHttpsPort,
    path,
    method: body === undefined ? 'GET' : 'POST',
    servername: hostname,
    headers: { host: hostname, ...(body === undefined ? {} : { 'content-type': type }) },
    ca,
    agent: false,
    timeout: 30_000
  })
  sent.on('timeout', () => sent.destroy(new Error('no answer')))
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response), headers: response.headers }
}
function parse(document: string) {
  expect(XMLValidator.validate(document)).toBe(true)
  return new XMLParser({ ignoreAttributes: false }).parse(document)
}
const request2006 = (address: string) =>
  `<?xml version="1.0" encoding="utf-8"?><Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006"><Request><EMailAddress>${address}</EMailAddress><AcceptableResponseSchema>http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a</AcceptableResponseSchema></Request></Autodiscover>`
const autoconfigPath = (address: string) => `/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(address)}`

describe('a mail client', () => {
  test('finds working servers with trusted certificates', async () => {
    const { status, body } = await ask(`autoconfig.${domain.hostname}`, autoconfigPath(mailbox.address))
    expect(status).toBe(200)
    const { incomingServer, outgoingServer } = parse(body).clientConfig.emailProvider
    expect([incomingServer[0], outgoingServer[0]]).toMatchObject([
      { hostname: `mail.${domain.hostname}`, port: ports.IMAPS, socketType: 'SSL' },
      { hostname: `mail.${domain.hostname}`, port: ports.SUBMISSIONS, socketType: 'SSL' }
    ])
    for (const { hostname, port } of [incomingServer[0], outgoingServer[0]] as { hostname: string; port: number }[])
      await until(
        () => handshake(port, hostname, { ca }),
        ({ isTrusted }) => isTrusted
      )
    const { address } = mailbox
    const sent = await send({ port: ports.SUBMISSION, as: address, from: address, to: address, subject: 'found' })
    expect(sent).toMatchObject({ code: 250 })
    await until(
      () => readInbox(incomingServer[0].port as number, address),
      (messages) => messages.some((message) => message.includes('Subject: found'))
    )
    const settings = await environment.ann.call<ClientSettings>('GET', `/mailboxes/${mailbox.id}/client-settings`)
    expect(settings).toMatchObject({
      isTrusted: true,
      services: [{ host: `mail.${domain.hostname}`, port: ports.IMAPS }, {}, {}, {}, {}]
    })
  })

  test('gets the same from the domain itself and for missing mailboxes', async () => {
    const there = await ask(`autoconfig.${domain.hostname}`, autoconfigPath(mailbox.address))
    const missing = await ask(`autoconfig.${domain.hostname}`, autoconfigPath(`nobody@${domain.hostname}`))
    expect(missing.body).toBe(there.body)
    const itself = await environment.panel.visit(domain.hostname, '/.well-known/autoconfig/mail/config-v1.1.xml')
    expect([itself.status, itself.body]).toEqual([200, there.body])
    expect((await environment.panel.visit(domain.hostname, '/')).status).toBe(404)
  })

  test('is redirected to HTTPS once there is a certificate', async () => {
    const { status, headers } = await environment.panel.visit(`autoconfig.${domain.hostname}`, '/mail/config-v1.1.xml')
    expect([status, headers.location]).toEqual([301, `https://autoconfig.${domain.hostname}/mail/config-v1.1.xml`])
  })

  test('can be Outlook: XML in any case, and JSON', async () => {
    const host = `autodiscover.${domain.hostname}`
    for (const path of ['/autodiscover/autodiscover.xml', '/Autodiscover/Autodiscover.xml']) {
      const { status, body } = await ask(host, path, request2006(mailbox.address))
      expect(status).toBe(200)
      expect(parse(body).Autodiscover.Response.Account.Protocol).toMatchObject([
        { Type: 'IMAP', Port: ports.IMAPS, LoginName: mailbox.address },
        { Type: 'SMTP', Port: ports.SUBMISSIONS, LoginName: mailbox.address }
      ])
    }
    for (const path of [
      `/autodiscover/autodiscover.json?Email=${mailbox.address}&Protocol=AutodiscoverV1`,
      `/autodiscover/autodiscover.json/v1.0/${mailbox.address}?Protocol=AutodiscoverV1`
    ])
      expect(JSON.parse((await ask(host, path)).body)).toEqual({
        Protocol: 'AutodiscoverV1',
        Url: `https://${host}/autodiscover/autodiscover.xml`
      })
  })

  test('finds the servers through our name server', async () => {
    const { panel } = environment
    const srv = async (name: string) => (await dig(panel, `_${name}._tcp.${domain.hostname}`, 'SRV')).values
    expect(await srv('imaps')).toEqual([`0 1 ${ports.IMAPS} mail.${domain.hostname}.`])
    expect(await srv('submissions')).toEqual([`0 1 ${ports.SUBMISSIONS} mail.${domain.hostname}.`])
    expect(await srv('submission')).toEqual([`0 1 ${ports.SUBMISSION} mail.${domain.hostname}.`])
    for (const name of ['imap', 'pop3', 'pop3s']) expect(await srv(name)).toEqual([expect.stringMatching(/ \.$/)])
    for (const label of labels)
      expect((await dig(panel, `${label}.${domain.hostname}`, 'A')).values).toEqual(['127.0.0.1'])
  })
})

describe('the panel', () => {
  test('is not served on customer names, except for mail discovery', async () => {
    for (const label of labels)
      for (const path of [
        '/',
        '/api/health',
        '/setup',
        '/metrics',
        '/mail/../api/health',
        '/mail/config-v1.1.xml/',
        '/autodiscover/autodiscover.json/v1.0/a/b'
      ]) {
        const { status, headers } = await ask(`${label}.${domain.hostname}`, path)
        expect([label, path, status, headers['content-type']]).toEqual([label, path, 404, 'text/html; charset=utf-8'])
      }
  })

  test('does not respond for domains without mail here', async () => {
    const { panel, newName } = environment
    const foreign = newName('foreign')
    for (const label of labels)
      expect((await panel.visit(`${label}.${foreign}`, '/mail/config-v1.1.xml')).status).toBe(404)
    const without = await newDomain()
    for (const label of labels)
      expect((await panel.visit(`${label}.${without.hostname}`, '/mail/config-v1.1.xml')).status).toBe(404)
    expect((await ask(`autoconfig.${domain.hostname}`, autoconfigPath(`ann@${foreign}`))).status).toBe(404)
    const posted = await ask(
      `autodiscover.${domain.hostname}`,
      '/autodiscover/autodiscover.xml',
      request2006(`ann@${foreign}`)
    )
    expect(posted.status).toBe(404)
  })
})

describe('MTA-STS', () => {
  const at = `/.well-known/mta-sts.txt`
  const record = async () => (await dig(environment.panel, `_mta-sts.${domain.hostname}`, 'TXT')).values

  test('the policy is served over HTTPS, and its record changes with it', async () => {
    const host = `mta-sts.${domain.hostname}`
    const policy = async () => (await ask(host, at)).body.split('\r\n')
    const api = `/mail/auth/${domain.id}/mta-sts`
    const { recordValue } = await environment.ann.call<MtaSts>('GET', api)
    expect(await policy()).toEqual([
      'version: STSv1',
      'mode: testing',
      `mx: mail.${domain.hostname}`,
      'max_age: 86400',
      ''
    ])
    expect(await record()).toEqual([recordValue])
    const enforced = await environment.ann.call<MtaSts>('PATCH', api, { mode: 'enforce' })
    expect(enforced).toMatchObject({ mode: 'enforce', isServed: true, problem: null })
    expect(await policy()).toContain('mode: enforce')
    await until(record, (values) => values.length === 1 && values[0] === enforced.recordValue)
    expect(enforced.recordValue).not.toBe(recordValue)
    expect((await dig(environment.panel, `_smtp._tls.${domain.hostname}`, 'TXT')).values).toEqual([
      `v=TLSRPTv1; rua=mailto:postmaster@${domain.hostname}`
    ])
  })
})

test('the Apple profile is a valid property list', async () => {
  const { body: profile } = await environment.ann.request<string>('GET', `/mailboxes/${mailbox.id}/apple-profile`)
  const reader = 'import json, plistlib, sys; print(json.dumps(plistlib.load(sys.stdin.buffer, fmt=plistlib.FMT_XML)))'
  const { stdout } = await run(['python3', '-c', reader], { timeoutMs: 30_000, input: profile })
  expect(JSON.parse(stdout)).toMatchObject({
    PayloadType: 'Configuration',
    PayloadContent: [
      {
        EmailAccountType: 'EmailTypeIMAP',
        EmailAddress: mailbox.address,
        IncomingMailServerHostName: `mail.${domain.hostname}`,
        IncomingMailServerPortNumber: ports.IMAPS,
        IncomingMailServerUseSSL: true,
        OutgoingMailServerPortNumber: ports.SUBMISSIONS
      }
    ]
  })
  expect(stdout).not.toContain(password)
})

test('a renewed certificate is used on mail ports without ending sessions', async () => {
  const host = `mail.${domain.hostname}`
  const [row] = await environment.panel.query<{ id: string }>('select id from domains where hostname = $1', [host])
  const served = (port: number) => handshake(port, host, { ca })
  const [before, session] = await Promise.all([
    served(ports.IMAPS),
    openImap(ports.IMAPS, mailbox.address, password, { tls: { servername: host, ca } })
  ])
  expect([before.isTrusted, (await served(ports.SUBMISSIONS)).serial]).toEqual([true, before.serial])
  await environment.makeDue(row!.id)
  const renewed = await Promise.all(
    [ports.IMAPS, ports.SUBMISSIONS].map((port) =>
      until(
        () => served(port),
        ({ serial }) => serial !== before.serial,
        120_000
      )
    )
  )
  expect(renewed.map(({ isTrusted }) => isTrusted)).toEqual([true, true])
  expect(renewed[0]!.serial).toBe(renewed[1]!.serial)
  await session.noop()
  expect(session.usable).toBe(true)
  await session.logout()
})

test('an external domain is checked through three resolvers, one silent and one outdated', async () => {
  const { ann, dns, newName } = environment
  await environment.change({ SERVER_IP: serverIp, MAIL_BLOCKLISTS: 'blocked.test' })
  const { id, hostname } = await dns.addDomain(ann, newName())
  await ann.call<Mailbox>('POST', '/mailboxes', { domainId: id, localPart: 'ann', password })
  // PTR results are cached for minutes for all domains.
  const reversed = serverIp.split('.').toReversed().join('.')
  dns.set(`${reversed}.in-addr.arpa`, 'PTR', ['mail.panel.hosting.test'])
  dns.set('mail.panel.hosting.test', 'A', [serverIp])
  dns.set('2.0.0.127.blocked.test', 'A', ['127.0.0.2'])
  dns.set(`${reversed}.blocked.test`, 'A', ['127.0.0.4'])
  dns.set(`${reversed}.blocked.test`, 'TXT', ['sends what nobody wants'])
  const check = () => ann.call<MailAuthCheckResult>('POST', `/mail/auth/${id}/check`)
  const before = await check()
  expect([before.dnsMode, before.deliverabilityScore]).toEqual(['CONNECTED', 0])
  const [silent, behind, right] = dns.resolvers
  for (const { type, name, value, priority, weight, port } of before.requiredRecords) {
    const data = {
      TXT: value.match(/.{1,255}/g),
      MX: { preference: priority, exchange: value },
      SRV: { priority, weight, port, target: value },
      A: value
    }[type as 'TXT' | 'MX' | 'SRV' | 'A']
    right.set(name, type, { values: [data] })
  }
  behind.set(`${before.dkimSelector}._domainkey.${hostname}`, 'TXT', { values: ['v=DKIM1; k=rsa; p=b2xk'] })
  silent.fallback = { drop: true }
  try {
    const found = await check()
    expect(found.authChecks).toMatchObject({
      spf: { status: 'pass' },
      dkim: { status: 'pass' },
      dmarc: { status: 'pass' },
      mx: { status: 'pass' }
    })
    expect([found.deliverabilityScore, found.requiredRecords.every(({ isFound }) => isFound)]).toEqual([100, true])
    const seen = (address: string) => {
      const of = found.detectedRecords.filter(({ resolver }) => address.startsWith(resolver))
      return Object.fromEntries(of.map(({ recordName, recordType, values, error }) => [`${recordType} ${recordName}`, error ?? values])) // oxfmt-ignore
    }
    const mx = `MX ${hostname}`
    expect(seen(right.address)[mx]).toEqual([`10 mail.${hostname}`])
    expect(seen(behind.address)).toMatchObject({
      [mx]: 'NXDOMAIN',
      [`TXT ${before.dkimSelector}._domainkey.${hostname}`]: ['v=DKIM1; k=rsa; p=b2xk']
    })
    expect(seen(silent.address)[mx]).toBe('TIMEOUT')
    expect(found.server).toMatchObject({
      hostname: 'mail.panel.hosting.test',
      addresses: [
        {
          address: serverIp,
          reverseDns: { status: 'pass', names: ['mail.panel.hosting.test'] },
          blocklists: [
            { zone: 'blocked.test', status: 'listed', detail: expect.stringContaining('sends what nobody wants') }
          ]
        }
      ]
    })
  } finally {
    silent.fallback = { rcode: 'NXDOMAIN' }
    await environment.change({ SERVER_IP: null, MAIL_BLOCKLISTS: null })
  }
})
