import { z } from 'zod'

type Issue = z.core.$ZodRawIssue
type Code = Issue['code']

const quoted = (values: readonly unknown[]): string => values.map(String).join(', ')

/** What a value must be, by the name that zod has for its type. */
const types: Readonly<Record<string, string>> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null'
}

/** Of what a value has too many or too few, by the name that zod has for what it measures. */
const units: Readonly<Record<string, [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes']
}

const formats: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a URL',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
  datetime: 'must be a time such as 2026-01-31T12:00:00Z',
  date: 'must be a date such as 2026-01-31',
  json_string: 'must be JSON'
}

const bound = (adverb: string, limit: number | bigint, unit: [one: string, many: string] | undefined): string =>
  unit ? `must have ${adverb} ${limit} ${limit === 1 ? unit[0] : unit[1]}` : `must be ${adverb} ${limit}`

type IssueOf<C extends Code> = Extract<Issue, { code: C }>

/** What is said of a value that breaks a rule: the end of a sentence that begins with the member's name. */
const words: { readonly [C in Code]: (issue: IssueOf<C>) => string } = {
  invalid_type: ({ input, expected }) =>
    input === undefined ? 'is missing' : (types[expected] ?? 'is of a type that is not taken here'),
  invalid_value: ({ input, values }) =>
    input === undefined
      ? 'is missing'
      : values.length === 1
        ? `must be ${quoted(values)}`
        : values.length <= 15
          ? `must be one of ${quoted(values)}`
          : 'is none of the values that are known here',
  too_small: ({ origin, minimum, inclusive, exact }) => {
    const unit = units[origin]
    if (unit && minimum === 1) return 'must not be empty'
    if (exact) return bound('exactly', minimum, unit)
    return bound(inclusive === false ? 'more than' : 'at least', minimum, unit)
  },
  too_big: ({ origin, maximum, inclusive, exact }) => {
    const unit = units[origin]
    if (!unit && maximum >= Number.MAX_SAFE_INTEGER) return 'is too large a number'
    if (exact) return bound('exactly', maximum, unit)
    return bound(inclusive === false ? 'less than' : 'at most', maximum, unit)
  },
  invalid_format: ({ format }) => formats[format] ?? 'has a form that is not taken here',
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) => `has members that are not known here: ${quoted(keys)}`,
  invalid_key: () => 'has a name in it that is not taken here',
  invalid_element: () => 'has an entry that is not taken here',
  invalid_union: () => 'has none of the forms that are taken here',
  custom: () => 'is not valid'
}

/** Zod's own words in every schema that has none: for a person who has filled in a form, not for whoever wrote it. */
export const messageOf = (issue: Issue): string => (words[issue.code] as (issue: Issue) => string)(issue)

z.config({ localeError: messageOf })
