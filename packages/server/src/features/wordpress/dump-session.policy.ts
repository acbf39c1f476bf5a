import { withKnownCollations } from './dump-statement.policy.ts'

interface DumpSession {
  /** '' if nothing remains to be run; undefined if the statement must be rejected. */
  set(statement: string): string | undefined
}

/** User variables (`@OLD_SQL_MODE`) are tracked here, never on the server, where rows of the dump could change them. */
export function createDumpSession(): DumpSession {
  const saved = new Map<string, string>()
  const current = new Map<string, string>(initial)

  return {
    set(statement) {
      const text = statement.trim().replace(/^SET\s+/i, '')
      if (text.length > longestStatement) return undefined
      // Server-wide settings are never applied.
      if (
        /^(?:GLOBAL|PERSIST|PERSIST_ONLY)\s+\w+\s*:?=|^@@(?:GLOBAL|PERSIST|PERSIST_ONLY)\s*\.\s*\w+\s*:?=/i.test(text)
      )
        return ''
      const names = charsetStatement.exec(text)
      if (names) return setNames(names)
      const assignments = assignmentsOf(text)
      const values = assignments?.map(assign)
      if (!values || values.includes(undefined)) return undefined
      const set = values.filter((value) => value !== '')
      return set.length === 0 ? '' : `SET ${set.join(', ')}`
    }
  }

  function setNames(found: RegExpExecArray): string | undefined {
    const { kind, charset, collation } = found.groups as Record<string, string | undefined>
    const name = charset!
    if (!isCharset(name) || (collation !== undefined && !isCollation(collation))) return undefined
    for (const variable of ['character_set_client', 'character_set_results', 'character_set_connection'])
      current.set(variable, name)
    const order = collation === undefined ? '' : ` COLLATE ${withKnownCollations(collation)}`
    return /^NAMES/i.test(kind!) ? `SET NAMES ${name}${order}` : `SET CHARACTER SET ${name}`
  }

  function assign({ variable, name, value }: Assignment): string | undefined {
    const literal = valueOf(value)
    if (variable === 'user') {
      if (literal === undefined) saved.delete(name)
      else saved.set(name, literal)
      return ''
    }
    if (ignored.has(name)) return ''
    const check = known[name]
    if (check && literal === undefined) return ''
    if (!check?.(literal!)) return undefined
    current.set(name, literal!)
    const ours = withKnownCollations(literal!)
    return `${name}=${isBare.test(ours) ? ours : `'${ours}'`}`
  }

  function valueOf(value: string): string | undefined {
    const quoted = /^'(.*)'$|^"(.*)"$/s.exec(value)
    if (quoted) return quoted[1] ?? quoted[2]!
    const fallback = /^IFNULL\s*\(\s*@([\w$]+)\s*,\s*(.*?)\s*\)$/i.exec(value)
    if (fallback) return saved.get(fallback[1]!.toLowerCase()) ?? valueOf(fallback[2]!)
    const system = /^@@(?:(?:SESSION|LOCAL|GLOBAL)\s*\.\s*)?(\w+)$/i.exec(value)
    if (system) return current.get(system[1]!.toLowerCase())
    if (value.startsWith('@')) return saved.get(value.slice(1).toLowerCase())
    return value
  }
}

const longestStatement = 4096

interface Assignment {
  variable: 'user' | 'session'
  name: string
  value: string
}

// ASCII bytes are unambiguous in these; in gbk or sjis a backslash may be the second half of a character.
const isCharset = (value: string): boolean => /^(?:utf8|utf8mb3|utf8mb4|latin1|binary)$/i.test(value)
const isCollation = (value: string): boolean => /^(?:(?:utf8|utf8mb3|utf8mb4|latin1)_\w{1,50}|binary)$/i.test(value)
const isSwitch = (value: string): boolean => /^(?:0|1|on|off|true|false)$/i.test(value)
const isTimeZone = (value: string): boolean => /^[\w+:/-]{1,64}$/.test(value)
const isBare = /^(?:\d+|[a-z]\w*)$/i

// Excludes modes that change the meaning of quotes or backslashes: ANSI_QUOTES, NO_BACKSLASH_ESCAPES, ORACLE.
const sqlModes = new Set([
  'allow_invalid_dates',
  'error_for_division_by_zero',
  'no_auto_create_user',
  'no_auto_value_on_zero',
  'no_dir_in_create',
  'no_engine_substitution',
  'no_unsigned_subtraction',
  'no_zero_date',
  'no_zero_in_date',
  'only_full_group_by',
  'pad_char_to_full_length',
  'strict_all_tables',
  'strict_trans_tables',
  'traditional'
])
const areModes = (value: string): boolean =>
  value === '' || value.split(',').every((mode) => sqlModes.has(mode.trim().toLowerCase()))

const known: Readonly<Record<string, (value: string) => boolean>> = {
  autocommit: isSwitch,
  character_set_client: isCharset,
  character_set_connection: isCharset,
  character_set_results: (value) => /^null$/i.test(value) || isCharset(value),
  collation_connection: isCollation,
  foreign_key_checks: isSwitch,
  sql_mode: areModes,
  sql_notes: isSwitch,
  time_zone: isTimeZone,
  unique_checks: isSwitch
}

const ignored = new Set([
  'default_storage_engine',
  'group_concat_max_len',
  'information_schema_stats_expiry',
  'innodb_strict_mode',
  'interactive_timeout',
  'max_allowed_packet',
  'net_read_timeout',
  'net_write_timeout',
  'note_verbosity',
  'sql_log_bin',
  'sql_quote_show_create',
  'sql_require_primary_key',
  'sql_safe_updates',
  'storage_engine',
  'tx_isolation',
  'wait_timeout'
])

const initial = [
  ['character_set_client', 'utf8mb4'],
  ['character_set_connection', 'utf8mb4'],
  ['character_set_results', 'utf8mb4'],
  ['foreign_key_checks', '0'],
  ['sql_mode', 'no_auto_value_on_zero'],
  ['unique_checks', '0']
] as const

const charsetStatement =
  /^(?<kind>NAMES|CHARACTER\s+SET|CHARSET)\s+(?<quote>['"]?)(?<charset>\w+)\k<quote>(?:\s+COLLATE\s+(?<quote2>['"]?)(?<collation>\w+)\k<quote2>)?$/i
const assignment =
  /\s*(?:@(?<user>[\w$]+)|(?:(?:SESSION|LOCAL)\s+|@@(?:(?:SESSION|LOCAL)\s*\.\s*)?)?(?<session>\w+))\s*:?=\s*(?<value>'[^'\\]*'|"[^"\\]*"|IFNULL\s*\([^()'"\\]*(?:(?:'[^'\\]*'|"[^"\\]*")\s*)?\)|@@\w+(?:\s*\.\s*\w+)?|@[\w$]+|[+-]?\w+)\s*(?:,|$)/iy

function assignmentsOf(text: string): Assignment[] | undefined {
  const assignments: Assignment[] = []
  for (let at = 0; at < text.length; at = assignment.lastIndex) {
    assignment.lastIndex = at
    const { user, session, value } = assignment.exec(text)?.groups ?? {}
    if (value === undefined) return undefined
    assignments.push({
      variable: user === undefined ? 'session' : 'user',
      name: (user ?? session)!.toLowerCase(),
      value
    })
  }
  return assignments
}
