import { describe, expect, test } from 'vitest'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { generatedRecords, recordKey } from './generated-records.policy.ts'
import { checkAnswers, detectedRecords, mailQuestions, mockedAnswers } from './live-check.policy.ts'

const domain = 'shop.test'
const key = { selector: 's1', publicKey: 'abc' }
const says = (...values: string[]): Lookup => ({ resolver: '192.0.2.1', values, error: null, latencyMs: 1 })
const fails = (error: string): Lookup => ({ resolver: '192.0.2.2', values: [], error, latencyMs: 1 })
const none = fails('NXDOMAIN')
const records = generatedRecords({
  hostname: domain,
  serverIp: '192.0.2.1',
  hostIp: '192.0.2.1',
  keys: [key],
  hosts: new Set(['mta-sts']),
  ports: { IMAPS_PORT: 993, IMAP_PORT: 143, SUBMISSIONS_PORT: 465, SUBMISSION_PORT: 587, MANAGESIEVE_PORT: 4190 },
  mtaStsMode: 'testing'
})
type Answers = Record<string, Lookup[]>
const nothing: Answers = { spf: [none], dkim: [none], dmarc: [none], mx: [none] }
const check = (answers: Answers) =>
  checkAnswers(domain, new Map(Object.entries({ ...nothing, ...answers })), { key, records })
const statuses = ({ checks }: ReturnType<typeof check>) => Object.values(checks).map(({ status }) => status === 'pass')

test('DNS queries', () => {
  const questions = mailQuestions(domain, 's1', records)
  expect(Object.fromEntries(questions)).toMatchObject({
    spf: { name: 'shop.test', type: 'TXT' },
    dkim: { name: 's1._domainkey.shop.test', type: 'TXT' },
    dmarc: { name: '_dmarc.shop.test', type: 'TXT' },
    mx: { name: 'shop.test', type: 'MX' },
    'A mail': { name: 'mail.shop.test', type: 'A' },
    'A mta-sts': { name: 'mta-sts.shop.test', type: 'A' },
    'SRV _imaps._tcp': { name: '_imaps._tcp.shop.test', type: 'SRV' },
    'TXT _mta-sts': { name: '_mta-sts.shop.test', type: 'TXT' },
    'TXT _smtp._tls': { name: '_smtp._tls.shop.test', type: 'TXT' }
  })
  expect([...questions.keys()].slice(0, 5)).toEqual(['spf', 'dkim', 'dmarc', 'mx', 'A mail'])
  expect(mailQuestions(domain, undefined, []).has('dkim')).toBe(false)
})

test.each<[string, Answers, boolean[]]>([
  ['nothing', {}, [false, false, false, false]],
  ['any valid SPF', { spf: [says('v=spf1 include:other.test -all')] }, [true, false, false, false]],
  ['the very key', { dkim: [says('v=DKIM1; p=abc')] }, [false, true, false, false]],
  ['another key', { dkim: [says('v=DKIM1; p=abd')] }, [false, false, false, false]],
  ['any valid DMARC', { dmarc: [says('v=DMARC1; p=reject')] }, [false, false, true, false]],
  ['any MX', { mx: [says('5 mx.other.test')] }, [false, false, false, true]],
  ['a null MX', { mx: [says('0 .')] }, [false, false, false, false]],
  ['one resolver of three', { mx: [none, fails('TIMEOUT'), says('10 mail.shop.test')] }, [false, false, false, true]],
  ['an older answer beside it', { spf: [says('v=spf1'), says('v=spf1 ~all')] }, [true, false, false, false]]
])('%s', (_, answers, passes) => expect(statuses(check(answers))).toEqual(passes))

describe('results', () => {
  test.each<[string, Lookup[], RegExp]>([
    ['nobody answers', [fails('TIMEOUT'), fails('SERVFAIL')], /^No resolver responded \(TIMEOUT, SERVFAIL\)/],
    ['no resolver is queried', [], /no resolver was queried/],
    ['what one sees counts for more than that another sees nothing', [none, says('v=spf1')], /must end in/],
    ['two states of one record are not two records', [says('v=spf1 a ~all'), says('v=spf1 mx ~all')], /^v=spf1 a ~all$/]
  ])('%s', (_, spf, detail) => expect(check({ spf }).checks.spf.detail).toMatch(detail))

  test('without a key', () =>
    expect(checkAnswers(domain, new Map(), { key: undefined, records }).checks.dkim.detail).toMatch(
      /has no DKIM key yet/
    ))
})

describe('of the others, what is found', () => {
  const value = (key: string) => records.find(({ values }) => recordKey(values) === key)!.values.value
  test.each<[string, string, string, boolean]>([
    ['an address, whichever', 'A mail', '198.51.100.1', true],
    ['a service elsewhere', 'SRV _imaps._tcp', '0 1 993 imap.other.test', true],
    ['the very policy', 'TXT _mta-sts', value('TXT _mta-sts'), true],
    ['written otherwise', 'TXT _mta-sts', value('TXT _mta-sts').replace('; ', ';').replace(/;$/, ''), true],
    ['a policy of before', 'TXT _mta-sts', 'v=STSv1; id=20200101;', false],
    ['reports to somebody else', 'TXT _smtp._tls', 'v=TLSRPTv1; rua=mailto:a@b.test', true],
    ['something else', 'TXT _smtp._tls', 'v=spf1 -all', false]
  ])('%s', (_, key, found, is) => expect(check({ [key]: [none, says(found)] }).foundRecords).toEqual(is ? [key] : []))
})

test('mocked, all is there', () => {
  const answers = mockedAnswers(records)
  const found = checkAnswers(domain, answers, { key, records })
  expect(statuses(found)).toEqual([true, true, true, true])
  expect(found.foundRecords).toEqual(
    records.map(({ values }) => recordKey(values)).filter((key) => !/^MX|^TXT (@|_dmarc|s1)/.test(key))
  )
  expect(
    detectedRecords(mailQuestions(domain, 's1', records), answers)
      .map(({ recordName, values }) => [recordName, values])
      .slice(0, 8)
  ).toEqual([
    ['shop.test', ['v=spf1 mx a ip4:192.0.2.1 ~all']],
    ['s1._domainkey.shop.test', ['v=DKIM1; k=rsa; p=abc']],
    ['_dmarc.shop.test', ['v=DMARC1; p=none; rua=mailto:postmaster@shop.test; pct=100']],
    ['shop.test', ['10 mail.shop.test']],
    ['mail.shop.test', ['192.0.2.1']],
    ['mta-sts.shop.test', ['192.0.2.1']],
    ['_imaps._tcp.shop.test', ['0 1 993 mail.shop.test']],
    ['_imap._tcp.shop.test', ['0 0 143 .']]
  ])
})
