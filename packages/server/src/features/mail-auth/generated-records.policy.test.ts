import { describe, expect, test } from 'vitest'
import { normalizeRecord } from '../dns-zones/record.policy.ts'
import { checkDmarc, checkSpf } from './auth-checks.policy.ts'
import { carriesKey } from './dkim-record.policy.ts'
import { mailHostLabels } from '../mail-clients/mail-hosts.policy.ts'
import { generatedRecords, isThere, recordKey, type RecordPurpose } from './generated-records.policy.ts'
import { mtaStsValue } from './mta-sts.policy.ts'

const hostname = 'shop.test'
const ports = { IMAPS_PORT: 993, IMAP_PORT: 143, SUBMISSIONS_PORT: 465, SUBMISSION_PORT: 587, MANAGESIEVE_PORT: 4190 }
const records = generatedRecords({
  hostname,
  serverIp: '192.0.2.1',
  hostIp: '203.0.113.7',
  keys: [
    { selector: 'default', publicKey: 'abc' },
    { selector: 's20260131', publicKey: 'def' }
  ],
  hosts: new Set(mailHostLabels),
  ports,
  mtaStsMode: 'testing'
})

test('match the specification, with an address for the MX target', () => {
  expect(
    records.map(({ purpose, values: { name, type, value, priority, ttl } }) => [
      purpose,
      name,
      type,
      value,
      priority,
      ttl
    ])
  ).toEqual([
    ['SPF', '@', 'TXT', 'v=spf1 mx a ip4:192.0.2.1 ~all', null, 3600],
    ['DKIM', 'default._domainkey', 'TXT', 'v=DKIM1; k=rsa; p=abc', null, 3600],
    ['DKIM', 's20260131._domainkey', 'TXT', 'v=DKIM1; k=rsa; p=def', null, 3600],
    ['DMARC', '_dmarc', 'TXT', 'v=DMARC1; p=none; rua=mailto:postmaster@shop.test; pct=100', null, 3600],
    ['MX', '@', 'MX', 'mail.shop.test', 10, 3600],
    ['Mail host', 'mail', 'A', '203.0.113.7', null, 3600],
    ['Mail host', 'autoconfig', 'A', '203.0.113.7', null, 3600],
    ['Mail host', 'autodiscover', 'A', '203.0.113.7', null, 3600],
    ['Mail host', 'mta-sts', 'A', '203.0.113.7', null, 3600],
    ['Service', '_imaps._tcp', 'SRV', 'mail.shop.test', 0, 3600],
    ['Service', '_imap._tcp', 'SRV', '.', 0, 3600],
    ['Service', '_pop3s._tcp', 'SRV', '.', 0, 3600],
    ['Service', '_pop3._tcp', 'SRV', '.', 0, 3600],
    ['Service', '_submissions._tcp', 'SRV', 'mail.shop.test', 0, 3600],
    ['Service', '_submission._tcp', 'SRV', 'mail.shop.test', 0, 3600],
    ['Service', '_sieve._tcp', 'SRV', 'mail.shop.test', 0, 3600],
    ['Service', '_autodiscover._tcp', 'SRV', 'autodiscover.shop.test', 0, 3600],
    ['MTA-STS', '_mta-sts', 'TXT', mtaStsValue(hostname, 'testing'), null, 3600],
    ['TLS-RPT', '_smtp._tls', 'TXT', 'v=TLSRPTv1; rua=mailto:postmaster@shop.test', null, 3600]
  ])
})

test('do not use hostnames of other accounts', () => {
  const left = generatedRecords({
    hostname,
    serverIp: '192.0.2.1',
    hostIp: '203.0.113.7',
    keys: [],
    hosts: new Set(['autoconfig']),
    ports,
    mtaStsMode: 'testing'
  }).map(({ values }) => recordKey(values))
  expect(left).toEqual(expect.arrayContaining(['A mail', 'A autoconfig', 'TXT _smtp._tls', 'SRV _imaps._tcp']))
  for (const key of ['A autodiscover', 'A mta-sts', 'SRV _autodiscover._tcp', 'TXT _mta-sts'])
    expect(left).not.toContain(key)
})

test('are normalized and pass the checks', () => {
  for (const { values } of records) expect(normalizeRecord(values, hostname)).toEqual({ record: values })
  const valueOf = (purpose: RecordPurpose) => records.find((record) => record.purpose === purpose)!.values.value
  expect(checkSpf(hostname, [valueOf('SPF')]).status).toBe('pass')
  expect(checkDmarc(hostname, [valueOf('DMARC')]).status).toBe('pass')
  expect(carriesKey(valueOf('DKIM'), 'abc')).toBe(true)
})

describe('existing records', () => {
  test.each<[RecordPurpose, Parameters<(typeof isThere)['SPF']>[0], boolean]>([
    ['SPF', { type: 'TXT', value: 'v=spf1 include:other.test -all' }, true],
    ['SPF', { type: 'TXT', value: 'v=spf1' }, true],
    ['SPF', { type: 'TXT', value: 'google-site-verification=abc' }, false],
    ['SPF', { type: 'MX', value: 'v=spf1' }, false],
    ['DMARC', { type: 'TXT', value: 'v=DMARC1; p=reject' }, true],
    ['DMARC', { type: 'TXT', value: 'something else' }, false],
    ['DKIM', { type: 'TXT', value: 'somebody else’s' }, true],
    ['DKIM', { type: 'A', value: '192.0.2.1' }, false],
    ['MX', { type: 'MX', value: 'mx.other.test' }, true],
    ['MX', { type: 'TXT', value: 'x' }, false],
    ['Mail host', { type: 'CNAME', value: 'other.test' }, true],
    ['Mail host', { type: 'AAAA', value: '2001:db8::1' }, true],
    ['Mail host', { type: 'TXT', value: 'x' }, false],
    ['Service', { type: 'SRV', value: 'mail.other.test' }, true],
    ['Service', { type: 'TXT', value: 'x' }, false],
    ['MTA-STS', { type: 'TXT', value: 'v=STSv1; id=another' }, true],
    ['MTA-STS', { type: 'TXT', value: 'something else' }, false],
    ['TLS-RPT', { type: 'TXT', value: 'v=TLSRPTv1; rua=mailto:a@b.test' }, true],
    ['TLS-RPT', { type: 'TXT', value: 'something else' }, false]
  ])('%s beside %j: %s', (purpose, there, is) => expect(isThere[purpose](there)).toBe(is))
})
