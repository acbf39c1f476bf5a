import { describe, expect, test } from 'vitest'
import { dmarcXml, type ReportFacts } from '../../../test/fixtures/dmarc-reports.fixture.ts'
import { maxRows, parseDmarcReport } from './dmarc-report.ts'

const domain = 'example.com'
const parse = (facts: Partial<ReportFacts>) => parseDmarcReport(dmarcXml({ domain, ...facts }))

test('a report', () => {
  const rows = [
    { ip: '198.51.100.7', count: 12 },
    {
      ip: '2001:DB8:0::25',
      count: 40,
      dkim: 'fail',
      disposition: 'quarantine',
      results: '<spf><domain>mail.service.test</domain></spf>'
    },
    { ip: '198.51.100.7', count: 3 }
  ]
  expect(parse({ rows, reporter: 'AT&amp;T &lt;x&gt;' })).toEqual({
    reporter: 'AT&T <x>',
    reportId: '12938414310203434',
    domain,
    begin: new Date('2026-11-22T00:00:00Z'),
    end: new Date('2026-11-22T23:59:59Z'),
    policy: 'none',
    rows: [
      {
        sourceIp: '2001:db8::25',
        messages: 40,
        disposition: 'quarantine',
        dkimAligned: false,
        spfAligned: true,
        headerFrom: domain,
        dkimDomain: undefined,
        spfDomain: 'mail.service.test'
      },
      {
        sourceIp: '198.51.100.7',
        messages: 15,
        disposition: 'none',
        dkimAligned: true,
        spfAligned: true,
        headerFrom: domain,
        dkimDomain: domain,
        spfDomain: domain
      }
    ]
  })
})

describe('forms that receivers write', () => {
  const xml = dmarcXml({ domain })
  test.each<[string, string]>([
    ['a name space', xml.replace('<feedback>', '<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">')],
    [
      'a prefix',
      xml.replace(/<(\/?)(feedback|record|row)>/g, '<$1d:$2>').replace('<d:feedback>', '<d:feedback xmlns:d="urn:x">')
    ],
    ['without a declaration', xml.replace(/^<\?.*\?>\n/, '')],
    ['with a mark of its byte order', `\ufeff${xml}`],
    ['without what was evaluated of SPF', xml.replace('<spf>pass</spf></policy', '</policy')],
    ['without results', xml.replace(/<auth_results>.*<\/auth_results>/, '')],
    ['with two results', xml.replace(/(<auth_results>)(<dkim>.*?<\/dkim>)/, '$1$2$2')],
    ['a domain in capitals', xml.replaceAll(domain, 'Example.COM')],
    ['spaces', xml.replace('<count>1<', '<count> 1 <').replace('>198.51.100.7<', '> 198.51.100.7\n<')],
    ['a comment', xml.replace('<record>', '<!-- <record> --><record>')]
  ])('%s', (_, text) => {
    expect(parseDmarcReport(text)).toMatchObject({
      domain,
      rows: [{ sourceIp: '198.51.100.7', messages: 1, dkimAligned: true }]
    })
  })
})

describe('what is none', () => {
  const xml = dmarcXml({ domain })
  const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${xml.replace('google.com', '&b;')}`
  test.each<[string, string]>([
    ['nothing', ''],
    ['another document', '<html><body>feedback</body></html>'],
    ['JSON', '{"feedback":{}}'],
    ['cut off', xml.slice(0, -200)],
    ['entities of its own', laughs],
    ['an external entity', xml.replace('<feedback>', '<!DOCTYPE f SYSTEM "file:///etc/passwd"><feedback>')],
    ['without a reporter', xml.replace(/<org_name>.*<\/org_name>/, '')],
    ['a reporter that is nothing', xml.replace('google.com', ' \u202e ')],
    ['without a domain', xml.replace(/<policy_published>.*<\/policy_published>/, '')],
    ['without a record', xml.replace(/<record>[^]*<\/record>/, '')],
    [
      'nested without end',
      xml.replace('<record>', '<record>'.repeat(5_000)).replace('</record>', '</record>'.repeat(5_000))
    ],
    ['a time that is none', xml.replace(/<begin>\d+/, '<begin>soon')],
    ['an end before its beginning', xml.replace(/<begin>\d+/, '<begin>1795478400')],
    ['of a month', xml.replace(/<begin>\d+/, '<begin>1790000000')],
    ['with no message', xml.replace('<count>1<', '<count>0<')],
    ['from no address', xml.replace('198.51.100.7', '198.51.100.777')],
    ['a name that is a property of all objects', xml.replaceAll('record>', '__proto__>')]
  ])('%s', (_, text) => expect(parseDmarcReport(text)).toBeUndefined())
})

test('an invalid row is skipped, and the others count', () => {
  const rows = [{ ip: 'localhost' }, { ip: '198.51.100.7', count: -1 }, { ip: '198.51.100.8', count: 2 }]
  expect(parse({ rows })?.rows.map(({ sourceIp, messages }) => [sourceIp, messages])).toEqual([['198.51.100.8', 2]])
})

test('of many rows the largest are kept, and no message is lost', () => {
  const rows = Array.from({ length: 3 * maxRows }, (_, index) => ({
    ip: `10.0.${index >> 8}.${index & 255}`,
    count: index + 1,
    dkim: index % 2 === 0 ? 'pass' : 'fail',
    spf: 'fail'
  }))
  const report = parse({ rows })!
  expect(report.rows).toHaveLength(maxRows + 2)
  expect(report.rows.slice(maxRows).map(({ sourceIp, dkimAligned }) => [sourceIp, dkimAligned])).toEqual([
    [undefined, false],
    [undefined, true]
  ])
  const sum = (counts: number[]) => counts.reduce((all, one) => all + one)
  expect(sum(report.rows.map(({ messages }) => messages))).toBe(sum(rows.map(({ count }) => count)))
})

test('numbers without measure and texts of strangers', () => {
  const rows = [{ ip: '198.51.100.7', count: 999_999_999_999, headerFrom: `a\u0000b\u202e${'x'.repeat(1_000)}` }]
  const [row] = parse({ rows, reportId: 'r'.repeat(5_000) })!.rows
  expect(row!.messages).toBe(2 ** 31 - 1)
  expect(row!.headerFrom).toMatch(/^a b x{249}$/)
  expect(parse({ reportId: 'r'.repeat(5_000) })!.reportId).toHaveLength(255)
})
