import type { ZoneLine } from '@panel/contract/dns-records'
import type { ZoneField } from '../../record-types/record-type.ts'
import { recordTypes } from '../../record-types/record-types.ts'
import { fullName, LineProblem, secondsOf, quoted } from './zone-file-fields.policy.ts'
import { type LogicalLine, logicalLines } from './zone-file-tokens.policy.ts'
import { zoneLine } from './zone-line.policy.ts'

export interface ZoneFileRecord {
  line: number
  owner: string
  type: string
  ttl: number
  /** Target names of supported types are absolute. */
  rdata: ZoneField[]
}

export interface ParsedZoneFile {
  records: ZoneFileRecord[]
  errors: ZoneLine[]
}

const maxRecords = 10_000
const maxErrors = 1_000
const defaultTtl = 3_600

const nameFields: Readonly<Record<string, readonly number[]>> = Object.fromEntries(
  Object.entries(recordTypes).map(([type, { file }]) => [type, file.names])
)

interface State {
  zone: string
  origin: string
  ttl: number | undefined
  lastTtl: number | undefined
  owner: string | undefined
}

/** Reports invalid lines and keeps the rest. Rejects $INCLUDE and $GENERATE. Linear time for any input. */
export function parseZoneFile(content: string, zone: string): ParsedZoneFile {
  const records: ZoneFileRecord[] = []
  const errors: ParsedZoneFile['errors'] = []
  const state: State = { zone, origin: zone, ttl: undefined, lastTtl: undefined, owner: undefined }
  for (const entry of logicalLines(content)) {
    if (records.length >= maxRecords) {
      errors.push(zoneLine(entry.line, { code: 'TOO_MANY_RECORDS', values: { max: maxRecords } }))
      break
    }
    try {
      const record = readEntry(entry, state)
      if (record) records.push(record)
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error
      if (errors.length <= maxErrors)
        errors.push(zoneLine(entry.line, errors.length < maxErrors ? error.why : { code: 'AND_MORE' }))
    }
  }
  return { records, errors }
}

function readEntry({ line, isIndented, fields, problem }: LogicalLine, state: State): ZoneFileRecord | undefined {
  const first = isIndented ? undefined : fields[0]
  const isDirective = first !== undefined && !first.isQuoted && first.text.startsWith('$')
  if (first && !isDirective) {
    // If the name is invalid, following indented lines have no name either.
    state.owner = undefined
    state.owner = fullName(first, state.origin)
  }
  if (problem !== undefined) throw new LineProblem(problem)
  if (isDirective) return applyDirective(fields, state)
  if (state.owner === undefined) throw new LineProblem({ code: 'NAME_MISSING' })
  return readRecord({ line, owner: state.owner }, first ? fields.slice(1) : fields, state)
}

function applyDirective([directive, argument, ...rest]: readonly ZoneField[], state: State): undefined {
  const name = directive!.text.toUpperCase()
  if (name !== '$ORIGIN' && name !== '$TTL')
    throw new LineProblem({ code: 'DIRECTIVE_NOT_SUPPORTED', values: { text: quoted(directive!.text) } })
  if (argument === undefined || rest.length > 0)
    throw new LineProblem({ code: 'DIRECTIVE_VALUE', values: { directive: name } })
  if (name === '$ORIGIN') state.origin = fullName(argument, state.origin)
  else {
    const seconds = secondsOf(argument)
    if (seconds === undefined) throw new LineProblem({ code: 'TTL_INVALID', values: { text: quoted(argument.text) } })
    state.ttl = seconds
  }
  return undefined
}

function readRecord(
  { line, owner }: Pick<ZoneFileRecord, 'line' | 'owner'>,
  fields: readonly ZoneField[],
  state: State
): ZoneFileRecord {
  const { ttl, type, data } = readHead(fields)
  if (data.length === 0) throw new LineProblem({ code: 'VALUE_MISSING', values: { type } })
  // RFC 3597 §5 generic format; would be parsed as text.
  if (!data[0]!.isQuoted && data[0]!.text === '\\#') throw new LineProblem({ code: 'UNKNOWN_FORM' })
  const names = Object.hasOwn(nameFields, type) ? nameFields[type]! : []
  const rdata = data.map((field, index) =>
    names.includes(index) ? { text: `${fullName(field, state.origin)}.`, isQuoted: false } : field
  )
  // RFC 2308 §4, or RFC 1035 without $TTL. Files without any TTL (written by Windows) mean the SOA minimum.
  if (ttl === undefined && state.lastTtl === undefined && type === 'SOA' && data[6]) state.ttl ??= secondsOf(data[6])
  const ownTtl = ttl ?? state.ttl ?? state.lastTtl
  state.lastTtl = ownTtl
  const { zone } = state
  if (owner !== zone && !owner.endsWith(`.${zone}`))
    throw new LineProblem({ code: 'NAME_ELSEWHERE', values: { text: quoted(owner), zone } })
  return { line, owner, type, ttl: ownTtl ?? defaultTtl, rdata }
}

/** TTL and class precede the type; both optional, in either order. */
function readHead(fields: readonly ZoneField[]): { ttl: number | undefined; type: string; data: ZoneField[] } {
  let ttl: number | undefined
  let hasClass = false
  for (const [index, field] of fields.entries()) {
    const text = field.text.toUpperCase()
    const seconds = ttl === undefined ? secondsOf(field) : undefined
    const isClass = !field.isQuoted && /^(IN|CH|HS|CS|CLASS\d+)$/.test(text)
    if (seconds !== undefined) ttl = seconds
    else if (isClass && !hasClass) {
      if (text !== 'IN' && text !== 'CLASS1')
        throw new LineProblem({ code: 'OTHER_CLASS', values: { text: quoted(text) } })
      hasClass = true
    } else if (!isClass && !field.isQuoted && /^[A-Z][A-Z0-9-]{0,31}$/.test(text))
      return { ttl, type: text, data: fields.slice(index + 1) }
    else throw new LineProblem({ code: 'NO_TYPE_THERE', values: { text: quoted(field.text) } })
  }
  throw new LineProblem({ code: 'TYPE_MISSING' })
}
