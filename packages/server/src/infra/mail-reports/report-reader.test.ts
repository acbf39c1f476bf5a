import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { dmarcXml, gzipped, reportMessage } from '../../../test/fixtures/dmarc-reports.fixture.ts'
import { createReportReader } from './report-reader.ts'
import { maxFileBytes, readReports } from './report-files.ts'

const errors: unknown[] = []
const read = createReportReader({ onError: (error) => errors.push(error) })
const to = 'postmaster@example.com'
const xml = dmarcXml({ domain: 'example.com' })

/** Written by an independent program. */
function zipped(files: Record<string, Buffer | string>): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'reports-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
    const script =
      'import sys,zipfile,os\nz=zipfile.ZipFile(sys.argv[1],"w",zipfile.ZIP_DEFLATED)\nfor n in sys.argv[2:]: z.write(n,os.path.basename(n))\nz.close()'
    execFileSync('python3', [
      '-c',
      script,
      join(directory, 'a.zip'),
      ...Object.keys(files).map((name) => join(directory, name))
    ])
    return readFileSync(join(directory, 'a.zip'))
  } finally {
    rmSync(directory, { recursive: true })
  }
}
const zip = (content: Buffer, type = 'application/zip') => ({ name: 'google.com!example.com!1!2.zip', type, content })
const text = { name: 'note.txt', type: 'text/plain', content: 'This is an aggregate report.' }

describe('ways in which a report comes', () => {
  test.each([
    ['gzip', [gzipped(xml)]],
    ['gzip beside a text', [text, gzipped(xml)]],
    ['zip', [zip(zipped({ 'report.xml': xml }))]],
    ['zip of another type', [text, zip(zipped({ 'report.xml': xml }), 'application/octet-stream')]],
    ['plain', [{ name: 'report.xml', type: 'text/xml', content: xml }]],
    ['plain beside a text', [text, { name: 'report.xml', type: 'application/xml', content: xml }]],
    ['gzip that is called zip', [{ ...gzipped(xml), name: 'report.zip', type: 'application/zip' }]]
  ])('%s', async (_, files) => {
    expect(await readReports(reportMessage(to, files))).toMatchObject([
      { reporter: 'google.com', domain: 'example.com' }
    ])
  })
})

describe('what brings nothing, and ends nothing', () => {
  const bomb = gzipSync(Buffer.alloc(maxFileBytes + 1, ' '))
  const damagedZip = zipped({ 'report.xml': xml })
  damagedZip.fill(0x41, 40, 60)
  test.each([
    ['a text', Buffer.from('Subject: hello\r\n\r\nhow are you')],
    ['nothing', Buffer.alloc(0)],
    ['noise', Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919) & 255))],
    ['a bomb of gzip', reportMessage(to, [{ name: 'r.xml.gz', type: 'application/gzip', content: bomb }])],
    ['a bomb of zip', reportMessage(to, [zip(zipped({ 'r.xml': Buffer.alloc(maxFileBytes + 1, ' ') }))])],
    ['packed twice', reportMessage(to, [{ name: 'r.gz', type: 'application/gzip', content: gzipSync(gzipSync(xml)) }])],
    [
      'gzip that is cut off',
      reportMessage(to, [{ name: 'r.gz', type: 'application/gzip', content: gzipSync(xml).subarray(0, 100) }])
    ],
    ['zip that is damaged', reportMessage(to, [zip(damagedZip)])],
    [
      'multiparts without end',
      Buffer.from(
        Array.from(
          { length: 300 },
          (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`
        ).join('')
      )
    ]
  ])('%s', async (_, message) => expect(await readReports(message)).toEqual([]))

  test('an archive of many files: a few are looked at', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `r${index}.xml`,
        dmarcXml({ domain: 'example.com', reportId: `${index}` })
      ])
    )
    expect((await readReports(reportMessage(to, [zip(zipped(files))]))).length).toBeLessThan(10)
  })

  test('one that takes all memory ends its thread, and the next one is read', async () => {
    // Millions of empty elements: small when compressed, large once parsed.
    const many = xml.replace('<record>', `${'<record><row/></record>'.repeat(700_000)}<record>`)
    const reports = await read(reportMessage(to, [gzipped(many)]))
    expect(reports.length).toBeLessThan(2)
    expect(await read(reportMessage(to, [gzipped(xml)]))).toHaveLength(1)
  })
})
