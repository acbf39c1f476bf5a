import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../process/run.ts'
import { type LineLimits, readLastLines } from './last-lines.ts'

let directory: string
let log: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-lines-'))
  log = join(directory, 'mail.log')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
const read = (limits: Partial<LineLimits> = {}) => readLastLines(log, { lines: 5, bytes: 1_000_000, ...limits })

describe('of one file', () => {
  test.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['fewer than are wanted', text('a', 'b'), ['b', 'a']],
    ['as many', text('a', 'b', 'c', 'd', 'e'), ['e', 'd', 'c', 'b', 'a']],
    ['more', text('a', 'b', 'c', 'd', 'e', 'f', 'g'), ['g', 'f', 'e', 'd', 'c']],
    ['empty ones', '\n\na\n\n', ['', 'a', '', '']],
    ['one alone that is empty', '\n', ['']],
    ['one that is being written', `${text('a', 'b')}c with no en`, ['b', 'a']],
    ['only one that is being written', 'a with no en', []],
    ['letters from everywhere', text('jürg', '\u{1f600}\u2028x'), ['\u{1f600}\u2028x', 'jürg']]
  ])('%s', async (_, content, expected) => {
    await writeFile(log, content)
    expect(read()).toEqual(expected)
  })

  test('across many blocks, with letters at their edges', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `${n} ${'ü'.repeat(n % 40)}`)
    await writeFile(log, text(...lines))
    expect(read({ lines: 20_000, bytes: 16 * 2 ** 20 })).toEqual(lines.slice(-20_000).reverse())
  })

  test('no more bytes than are allowed, and no part of a line', async () => {
    const lines = Array.from({ length: 1_000 }, (_, n) => `${n} ${'x'.repeat(8_000)}`)
    await writeFile(log, text(...lines))
    const found = read({ lines: 1_000, bytes: 1_000_000 })
    expect(found).toEqual(lines.slice(-found.length).reverse())
    expect(found.length).toBeGreaterThan(100)
    expect(found.length).toBeLessThan(200)
  })

  test('a line longer than that', async () => {
    await writeFile(log, text('a', 'x'.repeat(3_000_000), 'b'))
    expect(read({ lines: 5, bytes: 1_000_000 })).toEqual(['b'])
  })
})

describe('of files that were put aside', () => {
  const aside = (date: string, content: string | Buffer) => writeFile(`${log}.${date}`, content)

  test('as far as they are needed, newest first, packed or not', async () => {
    await aside('20261120-000000.gz', gzipSync(text('never')))
    await aside('20261121-000000.gz', gzipSync(text('a', 'b')))
    await aside('20261122-000000', text('c', 'd'))
    await writeFile(log, text('e', 'f'))
    expect(read()).toEqual(['f', 'e', 'd', 'c', 'b'])
  })

  test('where the log has just been put aside, and there is none', async () => {
    await aside('20261122-000000', text('a', 'b'))
    expect(read()).toEqual(['b', 'a'])
  })

  test('one that is being packed counts once, as it was', async () => {
    await aside('20261122-000000', text('a', 'b'))
    await aside('20261122-000000.gz', gzipSync(text('a', 'b')).subarray(0, 12))
    await writeFile(log, text('c'))
    expect(read()).toEqual(['c', 'b', 'a'])
  })

  test('a truncated archive is read as far as possible, and a damaged one is skipped', async () => {
    const many = text(...Array.from({ length: 20_000 }, (_, n) => String(n)))
    await aside('20261120-000000', text('z'))
    await aside('20261121-000000.gz', 'no gzip')
    await aside('20261122-000000.gz', gzipSync(many).subarray(0, -2_000))
    await writeFile(log, text('c'))
    const [latest, ...older] = read({ lines: 100_000 })
    expect([latest, older.at(-1), older.at(-2)]).toEqual(['c', 'z', '0'])
    expect(older.length).toBeGreaterThan(1_000)
  })

  test('what lies beside them is none of them', async () => {
    await writeFile(join(directory, 'mail.logs'), text('x'))
    await writeFile(join(directory, 'dovecot.log.1'), text('x'))
    await writeFile(log, text('a'))
    expect(read()).toEqual(['a'])
  })
})

test('without a directory there is nothing', () => {
  expect(readLastLines(join(directory, 'none', 'mail.log'), { lines: 5, bytes: 5 })).toEqual([])
})

test('however often the log is put aside, no line is missing and none is there twice', async () => {
  // Another process rotates the log, as Postfix does, without waiting for the reader.
  const script = join(directory, 'rotate.mjs')
  await writeFile(
    script,
    `import { appendFileSync, renameSync, unlinkSync, writeFileSync, readFileSync } from 'node:fs'
     import { gzipSync } from 'node:zlib'
     const log = process.argv[2]
     let n = 0
     for (let file = 0; file < 150; file++) {
       for (let line = 0; line < 20; line++) appendFileSync(log, String(n++).padStart(60, '.') + '\\n')
       const aside = log + '.' + String(file).padStart(8, '0')
       renameSync(log, aside)
       if (file % 2) { writeFileSync(aside + '.gz', gzipSync(readFileSync(aside))); unlinkSync(aside) }
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
     }`
  )
  let isOver = false
  const writing = run([process.execPath, script, log], { timeoutMs: 120_000 }).finally(() => (isOver = true))
  let checks = 0
  let latest = -1
  for (; !isOver; checks++) {
    const numbers = readLastLines(log, { lines: 100, bytes: 1_000_000 }).map((line) => Number(/\d+$/.exec(line)![0]))
    const from = numbers[0] ?? -1
    if (numbers.length > 0) expect(numbers).toEqual(numbers.map((_, index) => from - index))
    latest = Math.max(latest, from)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await writing
  expect(readLastLines(log, { lines: 5_000, bytes: 1_000_000 })).toHaveLength(3_000)
  expect(checks).toBeGreaterThan(3)
})
