import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderAutoreply } from './autoreply.render.ts'

const facts = { subject: null, text: 'I am away.', from: null, until: null, addresses: ['ann@example.com'] }

test('renders a script', () => {
  const script = renderAutoreply({
    subject: 'Away "until" Monday',
    text: 'First line\nC:\\second',
    from: new Date('2026-01-01T08:00:00.999Z'),
    until: new Date('2026-01-31T12:00:00Z'),
    addresses: ['ann@example.com', 'sales@example.com']
  })
  expect(script.split('\r\n')).toEqual([
    'require ["vacation", "date", "relational"];',
    'if allof (currentdate :zone "+0000" :value "ge" "iso8601" "2026-01-01T08:00:00+00:00", ' +
      'currentdate :zone "+0000" :value "lt" "iso8601" "2026-01-31T12:00:00+00:00") {',
    'vacation',
    '  :days 1',
    '  :subject "Away \\"until\\" Monday"',
    '  :addresses ["ann@example.com", "sales@example.com"]',
    '  "First line',
    'C:\\\\second";',
    '}',
    ''
  ])
})

test('line ends become CRLF', () => {
  expect(renderAutoreply({ ...facts, text: 'a\nb\r\nc\rd' })).toContain('"a\r\nb\r\nc\r\nd"')
})

const run = promisify(execFile)
const sieveTest = '/usr/bin/sieve-test'

describe.skipIf(!existsSync(sieveTest))('Pigeonhole', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'panel-sieve-'))
    // Pigeonhole refuses to run as root.
    const [uid, gid] = process.getuid!() === 0 ? [65534, 65534] : [process.getuid!(), process.getgid!()]
    const settings = {
      protocols: '',
      base_dir: `${directory}/run`,
      mail_home: `${directory}/home`,
      mail_location: `maildir:${directory}/mail`,
      mail_uid: uid,
      mail_gid: gid,
      log_path: '/dev/stderr'
    }
    await writeFile(
      join(directory, 'dovecot.conf'),
      lines(Object.entries(settings).map(([name, value]) => `${name} = ${value}`))
    )
    await writeFile(join(directory, 'message'), message)
    await chmod(directory, 0o755)
    await chown(directory, uid, gid)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const message = ['From: bob@example.net', 'To: Ann <ann@example.com>', 'Subject: Hello', '', 'Hello'].join('\r\n')
  const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('')

  async function actionsOf(script: string): Promise<string> {
    const path = join(directory, 'script.sieve')
    await writeFile(path, script)
    const to = ['-r', 'ann@example.com', '-a', 'ann@example.com', '-f', 'bob@example.net']
    const { stdout } = await run(
      sieveTest,
      ['-c', join(directory, 'dovecot.conf'), '-C', ...to, path, join(directory, 'message')],
      {
        timeout: 20_000
      }
    )
    return stdout.replaceAll('\r\n', '\n')
  }
  const sent = (actions: string) => /START MESSAGE\n(.*)\nEND MESSAGE/s.exec(actions)?.[1]
  const subject = (actions: string) => /=> subject : (.*)/.exec(actions)?.[1]

  test.each([
    'I am away.',
    'a "quoted" word, a \\ and \\" both, and \\\\',
    'ends with a backslash \\',
    '";\ndiscard;\nkeep "',
    'text:\n.\n.\ndiscard;',
    '${unicode:41} ${hex:41} ${1} ${subject}',
    '/* no */ # comment',
    'Grüße, 日本語, 😀',
    '\t"\n\n"\t',
    '"""""'
  ])('replies with exactly the text: %j', async (text) => {
    const actions = await actionsOf(renderAutoreply({ ...facts, text, subject: text.replaceAll(/\s/g, ' ').trim() }))
    expect(sent(actions)).toBe(text)
    expect(subject(actions)).toBe(text.replaceAll(/\s/g, ' ').trim())
    expect(actions.match(/^ \* .*/gm)).toEqual([' * send vacation message:', ' * store message in folder: INBOX'])
  })

  const [past, future] = [new Date('2020-01-01T00:00:00Z'), new Date('2090-01-01T00:00:00Z')]
  test.each([
    [null, null, true],
    [past, null, true],
    [future, null, false],
    [null, future, true],
    [null, past, false],
    [past, future, true],
    [past, past, false],
    [future, future, false]
  ])('from %s until %s: %s', async (from, until, isAnswered) => {
    const actions = await actionsOf(renderAutoreply({ ...facts, from, until }))
    expect(sent(actions)).toBe(isAnswered ? 'I am away.' : undefined)
    expect(actions).toContain('store message in folder: INBOX')
  })
})
