import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { oneLine } from '../../text/one-line.ts'
import { recordTypes } from '../../record-types/record-types.ts'
import { withoutEntities } from '../../text/xml.ts'
import type { DmarcReport, DmarcRow } from './mail-reports.ts'

/** Rows stored per report; the remaining messages are summed up in extra rows. */
export const maxRows = 500
/** Maximum period of a report; usually a day. */
const longestMs = 8 * 24 * 3_600_000
const maxCount = 2 ** 31 - 1

// Elements may be in any order and occur repeatedly; values are kept as text. Reports have no document type, which
// rules out entities and external files (XXE).
const parser = new XMLParser({
  ignoreAttributes: true,
  processEntities: false,
  removeNSPrefix: true,
  parseTagValue: false,
  maxNestedTags: 12,
  isArray: (name) => name === 'record' || name === 'dkim' || name === 'spf' || name === 'auth_results'
})

const text = z.string().transform(withoutEntities)
const word = text.transform((value) => value.trim().toLowerCase())
const seconds = z
  .string()
  .regex(/^\s*\d{1,12}\s*$/)
  .transform((value) => new Date(Number(value) * 1000))
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .default([])
    .transform((values) => values.flatMap((value) => item.safeParse(value).data ?? []) as z.infer<T>[])

const record = z.object({
  row: z.object({
    source_ip: z.string(),
    count: z
      .string()
      .regex(/^\s*\d{1,12}\s*$/)
      .transform(Number),
    // Single values, not lists: from policy_evaluated.
    policy_evaluated: z
      .object({
        disposition: word.optional(),
        dkim: z.array(z.unknown()).optional(),
        spf: z.array(z.unknown()).optional()
      })
      .optional()
  }),
  identifiers: z.object({ header_from: word.optional() }).optional(),
  auth_results: list(z.object({ dkim: list(z.object({ domain: word })), spf: list(z.object({ domain: word })) }))
})

const feedback = z.object({
  feedback: z.object({
    report_metadata: z.object({
      org_name: text,
      report_id: text,
      date_range: z.object({ begin: seconds, end: seconds })
    }),
    policy_published: z.object({ domain: word, p: word.optional() }),
    record: list(record)
  })
})

/** Undefined if it is not a report, has no rows, or has an impossible period. */
export function parseDmarcReport(xml: string): DmarcReport | undefined {
  if (!/<(?:\w+:)?feedback[\s>]/.test(xml) || /<!(?:DOCTYPE|ENTITY)/i.test(xml)) return undefined
  const parsed = feedback.safeParse(parse(xml))
  if (!parsed.success) return undefined
  const { report_metadata: metadata, policy_published: published, record: records } = parsed.data.feedback
  const { begin, end } = metadata.date_range
  const reporter = oneLine(metadata.org_name, 100)
  const reportId = oneLine(metadata.report_id, 255)
  const rows = sumUp(records.flatMap((one) => rowOf(one) ?? []))
  if (reporter === '' || reportId === '' || rows.length === 0) return undefined
  if (end < begin || end.getTime() - begin.getTime() > longestMs) return undefined
  const domain = published.domain.replace(/\.$/, '')
  return { reporter, reportId, domain, begin, end, policy: asDisposition(published.p), rows }
}

function parse(xml: string): unknown {
  try {
    return parser.parse(xml)
  } catch {
    return undefined // Not well-formed, or nested too deeply.
  }
}

type Record = z.infer<typeof record>

function rowOf({ row, identifiers, auth_results: results }: Record): DmarcRow | undefined {
  const sourceIp = canonicalIp(row.source_ip.trim())
  const messages = Math.min(row.count, maxCount)
  if (sourceIp === undefined || messages === 0) return undefined
  const shown = (value: string | undefined) => (value === undefined ? '' : oneLine(value, 253)) || undefined
  return {
    sourceIp,
    messages,
    disposition: asDisposition(row.policy_evaluated?.disposition) ?? 'none',
    dkimAligned: isPass(row.policy_evaluated?.dkim),
    spfAligned: isPass(row.policy_evaluated?.spf),
    headerFrom: shown(identifiers?.header_from),
    dkimDomain: shown(results.flatMap(({ dkim }) => dkim)[0]?.domain),
    spfDomain: shown(results.flatMap(({ spf }) => spf)[0]?.domain)
  }
}

const isPass = (values: readonly unknown[] | undefined): boolean =>
  typeof values?.[0] === 'string' && values[0].trim().toLowerCase() === 'pass'

const asDisposition = (value: string | undefined): DmarcRow['disposition'] | undefined =>
  (['none', 'quarantine', 'reject'] as const).find((one) => one === value)

function canonicalIp(value: string): string | undefined {
  try {
    return recordTypes[value.includes(':') ? 'AAAA' : 'A'].normalize(value, '')
  } catch {
    return undefined
  }
}

/** Merges equal rows and limits their number. */
function sumUp(rows: readonly DmarcRow[]): DmarcRow[] {
  const all = merge(rows)
  if (all.length <= maxRows) return all
  const combined = { sourceIp: undefined, headerFrom: undefined, dkimDomain: undefined, spfDomain: undefined }
  return [...all.slice(0, maxRows), ...merge(all.slice(maxRows).map((row) => ({ ...row, ...combined })))]
}

function merge(rows: readonly DmarcRow[]): DmarcRow[] {
  const merged = new Map<string, DmarcRow>()
  for (const row of rows) {
    const { messages, ...rest } = row
    const key = JSON.stringify(rest)
    const sum = Math.min((merged.get(key)?.messages ?? 0) + messages, maxCount)
    merged.set(key, { ...row, messages: sum })
  }
  return [...merged.values()].sort((one, other) => other.messages - one.messages)
}
