import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DnsRecord } from '@panel/contract/dns-records'
import { addManagedDomain, dnsServerOf, fillZone } from './support/domains.ts'
import { longestTickShare } from './support/event-loop.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

/** No operation of one account may block the event loop for long. */

let panel: TestPanel
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

const mostOfIt = 0.5

describe('a signed delivery of 25 MB', () => {
  let id: string
  let secret: string
  beforeAll(async () => {
    id = (await ann.createProject()).id
    const answer = await ann.request('POST', `/api/projects/${id}/git/connect`, {
      gitUrl: 'https://github.com/o/r',
      branch: 'main'
    })
    secret = answer.json().webhookSecret
  })
  const deliver = (payload: Buffer, key = secret) =>
    panel.app.inject({
      method: 'POST',
      url: `/api/webhooks/gitprovider?projectId=${id}`,
      payload,
      headers: {
        'content-type': 'application/json',
        'x-gitprovider-event': 'push',
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(payload).digest('hex')}`
      }
    })
  const hash = 'deadbeef'.repeat(5)
  const padded = (filler: string) => {
    const head = `{"ref":"refs/heads/main","after":"${hash}","more":[`
    return Buffer.from(`${head}${filler.repeat(Math.floor((25_000_000 - head.length) / filler.length))}0]}`)
  }

  test('is parsed off the event loop', async () => {
    // Many small objects are the slowest JSON to parse.
    const body = padded('{"a":1},')
    let status = 0
    const share = await longestTickShare(async () => (status = (await deliver(body)).statusCode))
    expect(status).toBe(202)
    expect(share).toBeLessThan(mostOfIt)
  })

  test('and refused there if invalid', async () => {
    expect((await deliver(padded('0,'), 'of somebody else')).statusCode).toBe(401)
    const broken = await deliver(Buffer.from('['.repeat(5_000_000)))
    expect([broken.statusCode, broken.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a zone of 9,900 records', () => {
  const count = 9_900
  let id: string
  let hostname: string
  beforeAll(async () => {
    ;({ id, hostname } = await addManagedDomain(ann, 'large.example.com'))
    await fillZone(panel, id, count, (index) => ({ name: `host${index}`, type: 'A', value: '192.0.2.1' }))
    await add('first')
  })
  const url = () => `/api/domains/${id}/dns`
  const add = (name: string) => ann.request('POST', url(), { type: 'A', name, value: '192.0.2.9' })

  test('is changed and rendered off the event loop', async () => {
    const share = await longestTickShare(async () => expect((await add('more')).statusCode).toBe(201))
    expect(dnsServerOf(panel).files.get(hostname)).toContain('\nmore 3600 IN A 192.0.2.9\n')
    expect(share).toBeLessThan(mostOfIt)
  })

  test('is listed off the event loop, whole or paginated', async () => {
    let all: DnsRecord[] = []
    const share = await longestTickShare(async () => {
      const answer = await ann.request('GET', url())
      expect(answer.headers['x-total-count']).toBe(String(count + 7))
      all = answer.json()
    })
    expect(all).toHaveLength(count + 7)
    // Parsing the response in the test is a tick too.
    expect(share).toBeLessThan(0.7)
    const paged: DnsRecord[] = []
    let next: string | undefined = `${url()}?limit=1000`
    while (next !== undefined) {
      const answer = await ann.request('GET', next)
      paged.push(...answer.json<DnsRecord[]>())
      next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    expect(paged).toEqual(all)
    for (const query of ['limit=1001', 'limit=0', 'page=0'])
      expect((await ann.request('GET', `${url()}?${query}`)).statusCode).toBe(400)
    const [last] = (await ann.request('GET', `${url()}?limit=1&page=${count + 7}`)).json<DnsRecord[]>()
    expect(last!.name).toBe(`_panel-challenge.${hostname}`)
  })

  test('is exported and imported off the event loop', async () => {
    let text = ''
    expect(
      await longestTickShare(async () => (text = (await ann.request('GET', `${url()}/export`)).body))
    ).toBeLessThan(mostOfIt)
    const changed = text.replaceAll('192.0.2.1', '192.0.2.2')
    let imported = 0
    const share = await longestTickShare(async () => {
      const answer = await ann.request('POST', `${url()}/import`, { zoneContent: changed, strategy: 'replace' })
      imported = answer.json<{ importedCount: number }>().importedCount
    })
    expect(imported).toBe(count)
    expect(dnsServerOf(panel).files.get(hostname)).toContain('\nhost1 3600 IN A 192.0.2.2\n')
    expect(share).toBeLessThan(mostOfIt)
  })

  test('is rendered once for ten pending changes', async () => {
    const server = dnsServerOf(panel)
    const put = server.putZone
    let puts = 0
    let letGo = () => {}
    const first = new Promise<void>((resolve) => (letGo = resolve))
    server.putZone = async (name, zone) => {
      if (puts++ === 0) await first
      return put(name, zone)
    }
    try {
      const changes = Array.from({ length: 11 }, (_, index) => add(`waits${index}`))
      await expect.poll(() => puts).toBe(1)
      const written = async () => (await ann.request('GET', `${url()}?limit=1`)).headers['x-total-count']
      await expect.poll(written).toBe(String(count + 7 + 11))
      letGo()
      for (const change of changes) expect((await change).statusCode).toBe(201)
      expect(puts).toBe(2)
      for (let index = 0; index < 11; index++)
        expect(server.files.get(hostname)).toContain(`\nwaits${index} 3600 IN A 192.0.2.9\n`)
    } finally {
      server.putZone = put
    }
  })
})
