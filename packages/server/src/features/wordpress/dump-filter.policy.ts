import { AppError } from '../../errors.ts'
import type { Sentence } from '@panel/contract/sentences'
import type { WordpressProblemCode } from '@panel/contract/wordpress-texts'
import { createDumpSession } from './dump-session.policy.ts'
import {
  type LeftOut,
  type StatementDisposition,
  statementDisposition,
  withKnownCollations,
  wordsToDecide
} from './dump-statement.policy.ts'

/** What a dump had that was not loaded. */
export interface DumpReport {
  /** By kind, with how many of it. */
  leftOut: ReadonlyMap<LeftOut, number>
}

interface DumpFilter extends DumpReport {
  /** The statements that may be loaded, as far as they can be told yet. Line breaks stay where they were: errors name the right line. */
  write(chunk: string, isLast?: boolean): string
}

type Mode = 'code' | "'" | '"' | '`' | 'line comment' | 'comment'

// As long as a token that must be seen whole: `/*!999999`, a delimiter.
const lookahead = 64
const maxDefinitionLength = 4 * 1024 * 1024
const rowWords = /^(INSERT|REPLACE|UPDATE|DELETE)$/

/**
 * Reads a dump of MySQL or MariaDB as it streams by (one character per byte) and lets through what a copy of a site needs: its tables and
 * their rows. Comments are taken out and version comments opened, so that what is evaluated is what is run. It spares a dump's
 * owner errors; what a hostile dump may do is for the account and the client to bound (infra/site-database). Throws ARCHIVE_INVALID.
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
  // Of the statement in hand.
  let disposition: StatementDisposition | undefined
  let words: string[] = []
  // The last one may go on in the next piece.
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
      isOpened = version !== null && isRun(version)
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
      // A `*` may be the first half of the end.
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

  /** Code of the statement in hand; `word` is what stands for it where the statement is evaluated. */
  function code(text: string, word = text): void {
    isStarted ||= /\S/.test(text)
    if (disposition === undefined) {
      read(word)
      if (words.length >= wordsToDecide || rowWords.test(words[0] ?? '')) decide()
    }
    keep(text)
  }

  /** The inside of a name is a word of its own; texts are not. */
  function quoted(text: string): void {
    if (disposition === undefined && mode === '`') read(text.replace(/`$/, ' '))
    keep(text)
  }

  /** Reads on where the last piece ended: what is known already is not looked at again. */
  function read(text: string): void {
    wordOrEnd.lastIndex = 0
    for (let found; words.length < wordsToDecide && (found = wordOrEnd.exec(text));) {
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
    // As long as a name can be: the dump decides what stands there.
    const names = [...databases].map((name) => name.slice(0, 64))
    throw refusal({ code: 'DUMP_SEVERAL_DATABASES', values: { databases: names.join(', ') } })
  }

  function refusal({ code, values }: Sentence<WordpressProblemCode>): AppError {
    return new AppError('ARCHIVE_INVALID', { code, values: { ...values, line } })
  }
}

const longestWord = 1024
// A word with what ends it, or what lies between words.
const wordOrEnd = /([\w@$]*)([^\w@$]*)/g

/** What ends code, with the delimiter first, which may begin as another of these. */
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

/** MariaDB leaves out what is meant for MySQL from 5.7 on, and what is for a version that it has not reached: `/*!999999\-`. */
function isRun([, , version = '0']: RegExpExecArray): boolean {
  const number = Number(version)
  return number < 50_700 || (number >= 100_000 && number < 110_000)
}

const countLines = (text: string): number => text.split('\n').length - 1
