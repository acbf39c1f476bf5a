import { type AuthCheck, authCheckNames, type AuthChecks, type DetectedMailRecord } from '@panel/contract/mail-auth'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { ownerOf } from '../dns-zones/record-name.policy.ts'
import { authCheck, checkDmarc, checkLiveDkim, checkMx, checkSpf } from './auth-checks.policy.ts'
import { dkimName } from './dkim-record.policy.ts'
import { type GeneratedRecord, isThere, recordKey } from './generated-records.policy.ts'

export interface MailQuestion {
  name: string
  type: DetectedMailRecord['recordType']
}

/** Public DNS lookups for a domain, by name of the check or by `recordKey`. */
export type MailQuestions = ReadonlyMap<string, MailQuestion>
export type MailAnswers = ReadonlyMap<string, readonly Lookup[]>

export function mailQuestions(
  domain: string,
  selector: string | undefined,
  records: readonly GeneratedRecord[]
): MailQuestions {
  const checked: [string, MailQuestion][] = [
    ['spf', { name: domain, type: 'TXT' }],
    ...(selector === undefined
      ? []
      : ([['dkim', { name: `${dkimName(selector)}.${domain}`, type: 'TXT' }]] satisfies [string, MailQuestion][])),
    ['dmarc', { name: `_dmarc.${domain}`, type: 'TXT' }],
    ['mx', { name: domain, type: 'MX' }]
  ]
  const others = records
    .filter(({ purpose }) => !isChecked(purpose))
    .map(({ values }): [string, MailQuestion] => [
      recordKey(values),
      { name: ownerOf(values.name, domain), type: values.type }
    ])
  return new Map([...checked, ...others])
}

const isChecked = (purpose: GeneratedRecord['purpose']): boolean =>
  authCheckNames.some((name) => name === purpose.toLowerCase())

/** A check passes if one resolver sees the right record: others may have an older one cached. */
export function checkAnswers(
  domain: string,
  answers: MailAnswers,
  { key, records }: { key: { selector: string; publicKey: string } | undefined; records: readonly GeneratedRecord[] }
): { checks: AuthChecks; foundRecords: string[] } {
  const to = (question: string) => answers.get(question) ?? []
  return {
    checks: {
      spf: bestOf(to('spf'), (texts) => checkSpf(domain, texts)),
      dkim: key
        ? bestOf(to('dkim'), (texts) => checkLiveDkim(domain, { ...key, texts }))
        : checkLiveDkim(domain, undefined),
      dmarc: bestOf(to('dmarc'), (texts) => checkDmarc(domain, texts)),
      mx: bestOf(to('mx'), (values) => checkMx(domain, values.map(mxHost)))
    },
    foundRecords: records
      .filter((record) => !isChecked(record.purpose) && isFound(record, to(recordKey(record.values))))
      .map(({ values }) => recordKey(values))
  }
}

/** Any equivalent record counts, except for MTA-STS: its id must match the current policy. */
function isFound({ purpose, values: { type, value } }: GeneratedRecord, lookups: readonly Lookup[]): boolean {
  const found = lookups.flatMap(({ values }) => values)
  if (purpose === 'MTA-STS') return found.some((text) => normalTags(text) === normalTags(value))
  return found.some((each) => isThere[purpose]({ type, value: each }))
}

const normalTags = (text: string): string => text.replaceAll(/\s/g, '').replace(/;$/, '')

/** `10 mail.example.com` → `mail.example.com`. */
export const mxHost = (value: string): string => value.slice(value.indexOf(' ') + 1)

/** Checks each resolver separately, because two of them may return different versions of a record. */
export function bestOf(lookups: readonly Lookup[], check: (values: readonly string[]) => AuthCheck): AuthCheck {
  const answered = lookups.filter(isAnswer)
  const [first] = answered
  if (!first) return authCheck('fail', [{ code: 'NO_ANSWER', values: { errors: errorsOf(lookups) } }])
  const results = answered.map(({ values }) => ({ result: check(values), isFound: values.length > 0 }))
  const best =
    results.find(({ result }) => result.status === 'pass') ?? results.find(({ isFound }) => isFound) ?? results[0]!
  return best.result
}

export const isAnswer = (lookup: Lookup): boolean => lookup.error === null || saysNone(lookup)

const errorsOf = (lookups: readonly Lookup[]): string =>
  [...new Set(lookups.flatMap(({ error }) => error ?? []))].join(', ') || 'no resolver was queried'

/** All answers, by record and resolver. */
export const detectedRecords = (questions: MailQuestions, answers: MailAnswers): DetectedMailRecord[] =>
  [...questions].flatMap(([question, { name, type }]) =>
    (answers.get(question) ?? []).map(({ resolver, values, error }) => ({
      resolver,
      recordType: type,
      recordName: name,
      values,
      error
    }))
  )

/** As if all required records existed (PANEL_MOCK_DNS, tests). */
export function mockedAnswers(records: readonly GeneratedRecord[]): MailAnswers {
  const answers = new Map<string, Lookup[]>()
  for (const { purpose, values } of records) {
    const numbers = [values.priority, values.weight, values.port].filter((number) => number !== null)
    const question = isChecked(purpose) ? purpose.toLowerCase() : recordKey(values)
    const lookup = { resolver: 'mock', values: [[...numbers, values.value].join(' ')], error: null, latencyMs: 0 }
    answers.set(question, [...(answers.get(question) ?? []), lookup])
  }
  return answers
}
