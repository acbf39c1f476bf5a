import { AppError } from '../../errors.ts'
import type { Sentence } from '@panel/contract/sentences'
import type { WordpressProblemCode } from '@panel/contract/wordpress-texts'
import { createDumpSession } from './dump-session.policy.ts'
import {
  type LeftOut,
  type StatementDisposition,
  statementDisposition,
  withKnownCollations,
  wordsToClassify
} from './dump-statement.policy.ts'

export interface DumpReport {
  leftOut: ReadonlyMap<LeftOut, number>
}

interface DumpFilter extends DumpReport {
  /** Line breaks are preserved, so that the server's errors name the right line. */
  write(chunk: string, isLast?: boolean): string
}

type Mode = 'code' | "'" | '"' | '`' | 'line comment' | 'comment'

// Must cover the longest token that may span two chunks: `/*!999999`, a delimiter.
const lookahead = 64
const maxDefinitionLength = 4 * 1024 * 1024
const rowWords = /^(INSERT|REPLACE|UPDATE|DELETE)$/

/**
 * Streams a latin1 dump and passes tables and rows only, with comments removed. Throws ARCHIVE_INVALID.
 * Not a security boundary: the database account and the client contain hostile dumps (infra/site-database).
 */
export function createDumpFilter(): DumpFilter {
  const leftOut = new Map<LeftOut, number>()
  const databases = new Set<string>()
  const session = createDumpSession()
  let rest = ''
  let line = 1
  let mode: Mode = 'code'
  let isOpened = false
  let delimiter = ';'
  let special = specialWith(delimiter)
  let disposition: StatementDisposition | undefined
  let words: string[] = []
  let lastWord = ''
  let isStarted = false
  let buffer = ''
  let output = ''

  return { leftOut, write }

  function write(chunk: string, isLast = false): string {
    const text = rest + chunk
    const end = isLast ? text.length : Math.max(0, text.length - lookahead)
    let at = 0
    while (at < end) at = mode === 'code' ? readCode(text, at, end) : readQuoted(text, at, isLast)
    rest = text.slice(at)
    if (isLast) {
      if (mode !== 'code' && mode !== 'line comment') throw refusal({ code: 'DUMP_ENDS_INSIDE' })
      finish()
    }
    const ready = output
    output = ''
    return ready
  }

  function readCode(text: string, at: number, end: number): number {
    if (!isStarted) {
      delimiterCommand.lastIndex = at
      const command = delimiterCommand.exec(text)
      if (command) {
        delimiter = command[1]!
        special = specialWith(delimiter)
        skipped(command[0])
        return delimiterCommand.lastIndex
      }
    }
    special.lastIndex = at
    const found = special.exec(text)
    const stop = found?.index ?? text.length
    if (stop > at) {
      const upTo = Math.min(stop, end)
      code(text.slice(at, upTo))
      return upTo
    }
    if (found![0] !== delimiter) return readSpecial(text, at, found![0])
    finish()
    return at + delimiter.length
  }

  function readSpecial(text: string, at: number, token: string): number {
    if (token === ';') {
      read(' ')
      if (disposition?.kind === 'skip') skipped(';')
      else if (decide()?.kind !== 'skip') throw refusal({ code: 'DUMP_MIXED_STATEMENT' })
      return at + 1
    }
    if (token === '\\') throw refusal({ code: 'DUMP_BACKSLASH' })
    if (token === '*/') {
      if (!isOpened) throw refusal({ code: 'DUMP_COMMENT_ENDS' })
      isOpened = false
      code(' ')
      return at + 2
    }
    if (token.startsWith('/*')) {
      versionComment.lastIndex = at
      const version = versionComment.exec(text)
      isOpened = version !== null && isExecutedByMariaDb(version)
      if (!isOpened) mode = 'comment'
      return at + (isOpened ? version![0].length : 2)
    }
    if (token === '#' || token.startsWith('--')) mode = 'line comment'
    else {
      mode = token as Mode
      code(token, token === '`' ? ' ' : ' TEXT ')
      return at + 1
    }
    return at + 1
  }

  function readQuoted(text: string, at: number, isLast: boolean): number {
    const pattern = endOf[mode as Exclude<Mode, 'code'>]
    pattern.lastIndex = at
    const found = pattern.exec(text)
    const isComment = mode === 'comment' || mode === 'line comment'
    const take = (upTo: number) => (isComment ? skipped(text.slice(at, upTo)) : quoted(text.slice(at, upTo)))
    if (!found) {
      // A trailing `*` may be the first half of the comment's end.
      const upTo = isLast || mode !== 'comment' ? text.length : text.length - 1
      take(upTo)
      return Math.max(upTo, at + (isLast ? 0 : 1))
    }
    if (found[0] === '\\') {
      const upTo = Math.min(found.index + 2, text.length)
      take(upTo)
      return upTo
    }
    const upTo = found.index + found[0].length
    take(upTo)
    mode = 'code'
    return upTo
  }

  /** Appends code to the current statement; `word` replaces it when the statement is classified. */
  function code(text: string, word = text): void {
    isStarted ||= /\S/.test(text)
    if (disposition === undefined) {
      read(word)
      if (words.length >= wordsToClassify || rowWords.test(words[0] ?? '')) decide()
    }
    keep(text)
  }

  function quoted(text: string): void {
    if (disposition === undefined && mode === '`') read(text.replace(/`$/, ' '))
    keep(text)
  }

  /** Continues where the last chunk ended, so that classification stays linear. */
  function read(text: string): void {
    wordOrEnd.lastIndex = 0
    for (let found; words.length < wordsToClassify && (found = wordOrEnd.exec(text));) {
      lastWord += found[1]!.toUpperCase()
      if (lastWord.length > longestWord) throw refusal({ code: 'DUMP_LONG_WORD' })
      if (wordOrEnd.lastIndex === text.length && found[2] === '') return
      if (lastWord !== '') words.push(lastWord)
      lastWord = ''
    }
  }

  function keep(text: string): void {
    line += countLines(text)
    if (disposition?.kind === 'rows') output += text
    else if (disposition?.kind === 'skip') output += '\n'.repeat(countLines(text))
    else {
      buffer += text
      if (buffer.length > maxDefinitionLength) throw refusal({ code: 'DUMP_LONG_STATEMENT' })
    }
  }

  function skipped(text: string): void {
    keep('\n'.repeat(countLines(text)))
  }

  function decide(): StatementDisposition | undefined {
    if (disposition !== undefined || words.length === 0) return disposition
    disposition = statementDisposition(words.join(' '))
    if (disposition.kind === 'refuse') throw refusal(disposition.why)
    if (disposition.kind === 'rows') {
      output += buffer
      buffer = ''
    }
    if (disposition.kind === 'skip') {
      if (disposition.leftOut !== undefined)
        leftOut.set(disposition.leftOut, (leftOut.get(disposition.leftOut) ?? 0) + 1)
      output += '\n'.repeat(countLines(buffer))
      buffer = ''
    }
    return disposition
  }

  function finish(): void {
    read(' ')
    decide()
    const lines = () => '\n'.repeat(countLines(buffer))
    if (disposition?.kind === 'rows') output += ';'
    else if (disposition?.kind === 'definition') {
      if (/\b(DATA|INDEX)\s+DIRECTORY\b/i.test(buffer)) throw refusal({ code: 'DUMP_PLACE_ON_DISK' })
      output += `${withKnownCollations(buffer)};`
    } else {
      if (disposition?.kind === 'use')
        use(
          buffer
            .trim()
            .replace(/^USE\s*/i, '')
            .replaceAll('`', '')
        )
      const set = disposition?.kind === 'set' ? session.set(buffer) : ''
      if (set === undefined) throw refusal({ code: 'DUMP_SETTING', values: { statement: buffer.trim().slice(0, 60) } })
      output += lines() + (set === '' ? '' : `${set};`)
    }
    disposition = undefined
    words = []
    lastWord = ''
    isStarted = false
    buffer = ''
  }

  function use(database: string): void {
    databases.add(database)
    if (databases.size === 1) return
    // 64 characters is the longest identifier; the dump controls this text.
    const names = [...databases].map((name) => name.slice(0, 64))
    throw refusal({ code: 'DUMP_SEVERAL_DATABASES', values: { databases: names.join(', ') } })
  }

  function refusal({ code, values }: Sentence<WordpressProblemCode>): AppError {
    return new AppError('ARCHIVE_INVALID', { code, values: { ...values, line } })
  }
}

const longestWord = 1024
const wordOrEnd = /([\w@$]*)([^\w@$]*)/g

/** Tokens that end plain code. The delimiter comes first because it may start like one of the others. */
const specialWith = (delimiter: string): RegExp =>
  new RegExp(`${delimiter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}|['"\`;#\\\\]|--(?=[\\s\\0]|$)|/\\*|\\*/`, 'g')
const delimiterCommand = /\s*DELIMITER[ \t]+(\S{1,16})[^\n]*(?:\n|$)/iy
const versionComment = /\/\*(M)?!(\d{5,6})?/y
const endOf = {
  "'": /['\\]/g,
  '"': /["\\]/g,
  '`': /`/g,
  'line comment': /\n/g,
  comment: /\*\//g
} as const satisfies Record<Exclude<Mode, 'code'>, RegExp>

/** MariaDB ignores version comments for MySQL 5.7 and later and for its own future versions, such as `/*!999999\-`. */
function isExecutedByMariaDb([, , version = '0']: RegExpExecArray): boolean {
  const number = Number(version)
  return number < 50_700 || (number >= 100_000 && number < 110_000)
}

const countLines = (text: string): number => text.split('\n').length - 1
