import { hereDocumentsIn, takeHereDocuments } from './here-documents.ts'
import { BuildError } from './image-builder.ts'

export interface Instruction {
  keyword: string
  args: string
  line: number
  /** Lines of its here-documents, with the ones that end them. */
  hereDocuments?: readonly string[] | 'unclear'
}

const keywords = new Set(['ADD', 'ARG', 'CMD', 'COPY', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'FROM', 'HEALTHCHECK', 'LABEL', 'MAINTAINER', 'ONBUILD', 'RUN', 'SHELL', 'STOPSIGNAL', 'USER', 'VOLUME', 'WORKDIR']) // oxfmt-ignore

const maxInstructionBytes = 60_000

/** Rejects what two builder versions could read differently: what is checked here is what the engine runs. */
export function* scanDockerfile(text: string): Generator<Instruction> {
  const lines = linesOf(text)
  const escape = findEscape(text)
  let parts: string[] = []
  let firstLine = 0
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const start = trimStart(line)
    if (start === '' || start.startsWith('#')) continue
    const body = trimEnd(line, ' \t')
    if (body.endsWith(escape.repeat(2)))
      throw problemAt(
        index + 1,
        `ends with two ${escape} characters, which builders interpret differently; remove them`
      )
    const isContinued = body.endsWith(escape)
    if (parts.length === 0) firstLine = index + 1
    parts.push(isContinued ? body.slice(0, -1) : line)
    if (isContinued) continue
    for (const instruction of parseInstruction(parts.join(''), firstLine, escape)) {
      const hereDocuments = hereDocumentsOf(instruction, lines, index + 1)
      yield hereDocuments === undefined ? instruction : { ...instruction, hereDocuments }
      if (Array.isArray(hereDocuments)) index += hereDocuments.length
    }
    parts = []
  }
  yield* parseInstruction(parts.join(''), firstLine, escape)
}

const withHereDocuments = new Set(['RUN', 'COPY', 'ADD'])

function hereDocumentsOf(
  { keyword, args, line }: Instruction,
  lines: readonly string[],
  start: number
): string[] | 'unclear' | undefined {
  if (!withHereDocuments.has(keyword)) return undefined
  const rest = args.startsWith('--') ? takeFlags({ keyword, args, line }).rest : args
  if (isJsonList(rest)) return undefined
  // With the options: BuildKit splits the whole line.
  const documents = hereDocumentsIn(args)
  if (documents === 'unclear') return documents
  return documents.length === 0 ? undefined : (takeHereDocuments(documents, lines, start) ?? 'unclear')
}

/** Whether it names a program of its own to read it: `# syntax=docker/dockerfile:1`. */
export const namesSyntax = (text: string): boolean =>
  /^(?:[ \t]*#[ \t]*\w+[ \t]*=[^\n]*\n)*?[ \t]*#[ \t]*syntax[ \t]*=/i.test(text.slice(0, 10_000))

/** The escape character: set by `# escape=` among the leading `# name=value` directives, default backslash. */
export function findEscape(text: string): '\\' | '`' {
  for (const [index, line] of linesOf(text.slice(0, 10_000)).entries()) {
    const [, name, value] = /^#[ \t]*([a-z][a-z0-9]*)[ \t]*=(.+)$/i.exec(trimStart(line).slice(0, 300)) ?? []
    if (name === undefined) return '\\'
    if (name.toLowerCase() !== 'escape') continue
    const escape = trim(value!)
    if (escape === '\\' || escape === '`') return escape
    throw problemAt(index + 1, 'sets an escape other than \\ or `; remove it')
  }
  return '\\'
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => trimEnd(line, '\r'))

interface Flag {
  name: string
  value: string | undefined
}

/** Splits off leading `--name=value` flags. Refuses quotes and escapes in them: the engine reads flags byte by byte. */
export function takeFlags({ args, line }: Instruction): { flags: readonly Flag[]; rest: string } {
  const flags: Flag[] = []
  let rest = args
  while (rest.startsWith('--')) {
    const end = rest.search(/[ \t]/)
    const word = end < 0 ? rest : rest.slice(0, end)
    const [, name, value] = /^--([a-z][a-z-]*)(?:=([!#-&(-[\]-_a-~]*))?$/.exec(word) ?? []
    if (name === undefined)
      throw problemAt(line, `has an invalid option: ${shown(word)}; write it as --name=value without quotes`)
    flags.push({ name, value })
    rest = end < 0 ? '' : trim(rest.slice(end))
  }
  return { flags, rest }
}

export const takeList = (rest: string): readonly string[] => parseJsonList(rest) ?? takeWords(rest)

const isJsonList = (rest: string): boolean => parseJsonList(rest) !== undefined

/** Undefined for plain words, whose first may start with a bracket: `[a-z]*.txt`. */
function parseJsonList(rest: string): string[] | undefined {
  if (!rest.startsWith('[')) return undefined
  try {
    const value: unknown = JSON.parse(rest)
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

export const takeWords = (text: string): string[] => text.split(/[ \t]+/).filter((word) => word !== '')

export const problemAt = (line: number, problem: string): BuildError =>
  new BuildError(`Line ${line} of the Dockerfile ${problem}.`)

export const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

// What Go's unicode.IsSpace accepts, except the line feed: the engine trims with it.
const spaces = '\t\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff' // oxfmt-ignore

const trim = (text: string): string => trimEnd(trimStart(text), spaces)

function trimStart(text: string): string {
  let start = 0
  while (start < text.length && spaces.includes(text[start]!)) start++
  return text.slice(start)
}

// Not a regular expression: /\s+$/ takes quadratic time on long runs of spaces.
function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

function parseInstruction(joined: string, line: number, escape: string): Instruction[] {
  const text = trim(joined)
  if (text === '') return []
  if (Buffer.byteLength(text) > maxInstructionBytes)
    throw problemAt(line, 'has an instruction of more than 60,000 bytes; move its content into a file')
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(text)) throw problemAt(line, 'contains a control character; remove it')
  const word = /^[A-Za-z]{1,20}(?=[ \t]|$)/.exec(text)?.[0]
  const keyword = word?.toUpperCase()
  if (word === undefined || !keywords.has(keyword!))
    throw problemAt(line, `has an unknown instruction: ${shown(text.split(/[ \t]/, 1)[0]!)}`)
  const args = trim(text.slice(word.length))
  if (args.endsWith(escape)) throw problemAt(line, `ends with ${escape}; remove it`)
  return [{ keyword: keyword!, args, line }]
}
