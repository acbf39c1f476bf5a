export interface AutoreplyFacts {
  subject: string | null
  text: string
  from: Date | null
  until: Date | null
  /** All addresses of the mailbox; a message is answered only if To or Cc contains one of them (RFC 5230 §4.5). */
  addresses: readonly string[]
}

/** Sieve script (RFC 5228) with a vacation action (RFC 5230) that answers each sender once a day. */
export function renderAutoreply({ subject, text, from, until, addresses }: AutoreplyFacts): string {
  const times = [
    ...(from ? [`currentdate :zone "+0000" :value "ge" "iso8601" ${quote(isoSeconds(from))}`] : []),
    ...(until ? [`currentdate :zone "+0000" :value "lt" "iso8601" ${quote(isoSeconds(until))}`] : [])
  ]
  const vacation = [
    'vacation',
    '  :days 1',
    ...(subject === null ? [] : [`  :subject ${quote(subject)}`]),
    `  :addresses [${addresses.map(quote).join(', ')}]`,
    `  ${quote(text)};`
  ].join('\n')
  const extensions = times.length === 0 ? ['vacation'] : ['vacation', 'date', 'relational']
  return toCrlf(
    [
      `require [${extensions.map(quote).join(', ')}];`,
      ...(times.length === 0 ? [vacation] : [`if allof (${times.join(', ')}) {`, vacation, '}'])
    ].join('\n') + '\n'
  )
}

/** RFC 5228 §2.4.2. `${…}` is literal, since the script requires no "variables" or "encoded-character". */
const quote = (text: string): string => `"${text.replaceAll('\0', '').replaceAll(/["\\]/g, '\\$&')}"`

/** RFC 5260 §4.3 uses `+00:00` instead of `Z`, and the comparison is textual. */
const isoSeconds = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, '+00:00')

const toCrlf = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n')
