import type { z } from 'zod'
import { recordWords, type Values } from './record-words.ts'

type Issue = z.core.$ZodRawIssue
type IssueCode = Issue['code']

/** What is wrong with a value: a code with values, so that it can be shown in any language. */
export interface Described {
  code: DetailCode
  values?: Values
}

/** Codes of zod's own rules. Each text continues a sentence that starts with the member's name. */
const general = {
  MISSING: 'is missing',
  TEXT_EXPECTED: 'must be text',
  NUMBER_EXPECTED: 'must be a number',
  WHOLE_NUMBER_EXPECTED: 'must be a whole number',
  BOOLEAN_EXPECTED: 'must be true or false',
  LIST_EXPECTED: 'must be a list',
  OBJECT_EXPECTED: 'must be an object',
  NULL_EXPECTED: 'must be null',
  OTHER_TYPE: 'has an unsupported type',
  ONLY: ({ names }: Values) => `must be ${names}`,
  ONE_OF: ({ names }: Values) => `must be one of ${names}`,
  NOT_KNOWN: 'is not a known value',
  EMPTY: 'must not be empty',
  TOO_SHORT: ({ count }: Values) => `must have at least ${count} ${count === 1 ? 'character' : 'characters'}`,
  TOO_LONG: ({ count }: Values) => `must have at most ${count} ${count === 1 ? 'character' : 'characters'}`,
  OTHER_LENGTH: ({ count }: Values) => `must have exactly ${count} ${count === 1 ? 'character' : 'characters'}`,
  TOO_FEW: ({ count }: Values) => `must have at least ${count} ${count === 1 ? 'entry' : 'entries'}`,
  TOO_MANY: ({ count }: Values) => `must have at most ${count} ${count === 1 ? 'entry' : 'entries'}`,
  OTHER_NUMBER: ({ count }: Values) => `must have exactly ${count} ${count === 1 ? 'entry' : 'entries'}`,
  AT_LEAST: ({ limit }: Values) => `must be at least ${limit}`,
  MORE_THAN: ({ limit }: Values) => `must be more than ${limit}`,
  AT_MOST: ({ limit }: Values) => `must be at most ${limit}`,
  LESS_THAN: ({ limit }: Values) => `must be less than ${limit}`,
  TOO_LARGE_NUMBER: 'is too large',
  MULTIPLE_OF: ({ limit }: Values) => `must be a multiple of ${limit}`,
  EMAIL: 'must be an email address',
  URL: 'must be a URL',
  IPV4: 'must be an IPv4 address',
  IPV6: 'must be an IPv6 address',
  DATE_TIME: 'must be a time such as 2026-01-31T12:00:00Z',
  DATE: 'must be a date such as 2026-01-31',
  JSON: 'must be JSON',
  OTHER_FORM: 'has an invalid format',
  UNKNOWN_MEMBERS: ({ names }: Values) => `has unknown members: ${names}`,
  NAME_IN_IT: 'contains an invalid name',
  ENTRY_IN_IT: 'contains an invalid entry',
  NO_FORM: 'matches none of the accepted formats',
  INVALID: 'is invalid'
} as const

/** Messages of the contract's own rules. Schemas take them from here, so that a message maps to its code. */
export const words = {
  ABSOLUTE_PATH: 'must be an absolute path such as /mnt/backup',
  AFTER_FROM: 'must be after from',
  BLANK_LINE: 'must not be blank; leave it empty for the default',
  BACKUP_WINDOW: 'must be another hour than the start, and must be set exactly if the start is',
  BOT_TOKEN: 'must be a bot token from BotFather',
  BRANCH: 'is not a valid branch name',
  REGISTRY_HOST: 'must be the host of a registry such as ghcr.io or registry.example.com:5000',
  REPOSITORY_PATH: 'must be a path in the repository such as apps/web, without a slash at the start or end',
  REPOSITORY_DIRECTORY: 'must be . or a path in the repository such as apps/web, without a slash at the start or end',
  BUILD_ARGS:
    'must be at most 50 names of letters, digits and underscores, with values of at most 4,096 characters in one line',
  DOCKER_TARGET: 'must be the name of a stage such as production',
  GLOB: 'must be a pattern such as apps/web/** or v*, without a slash at the start and without backslashes',
  HEALTH_PATH: 'must be a path such as /health, without spaces',
  CHAT: 'must be a chat id or @channel',
  CLOCK_TIME: 'must be a time such as 22:00',
  CODE_OF_APP: 'must be 6 digits',
  DATABASE_NAME: 'must be 1 to 63 letters, digits and underscores',
  DATABASE_NAME_TAKEN: 'is reserved by the database server; choose another name',
  DOMAIN_ADDRESS: 'must be a hostname, not an IP address',
  DOMAIN_DOT: 'must not end with a dot',
  DOMAIN_FORM:
    'must be a hostname such as shop.example.com, without a port or path, with letters, digits, hyphens and dots only',
  DOMAIN_FULL: 'must be a full hostname such as shop.example.com',
  DOMAIN_LENGTH: 'must have at most 253 characters',
  DOMAIN_NAME: 'must be a hostname such as shop.example.com',
  DOMAIN_PROTOCOL: 'must be a hostname without a protocol, such as shop.example.com',
  DOMAIN_SPACES: 'must not contain spaces or control characters',
  DOMAIN_WILDCARD: 'may contain * only as its first label: *.example.com',
  EMAIL_AS_PASSWORD: 'must not be the email address',
  MACHINE_NAME: 'must consist of letters, digits, dots and hyphens, such as m2',
  MACHINE_LABEL: 'must be a word such as ssd, or a name and a value such as region=eu, in lower case',
  MACHINE_HOST: 'must be an IP address or a hostname',
  MACHINE_HOST_KEY: 'must be a public key such as the one in /etc/ssh/ssh_host_ed25519_key.pub',
  BAN_ADDRESS: 'must be an IP address such as 203.0.113.7, or an IPv6 network with /64',
  BAN_ALLOWED_NETWORK:
    'must be an IP address such as 203.0.113.7, or a network such as 203.0.113.0/24 of at most /8 (IPv4) or /19 (IPv6)',
  FIREWALL_ANY_PORTS: 'must be empty for the protocol ANY',
  FIREWALL_PORTS: 'must be a port such as 443 or a range such as 8000-8100',
  EXCLUDED_PATTERN: 'must be a pattern such as node_modules or /cache/*, without . and .. as names',
  FIREWALL_SOURCE: 'must be an IP address such as 203.0.113.7 or a network such as 203.0.113.0/24',
  FOLDER_NAME: 'must be a folder name',
  GROUP_NAME: 'must start with a letter, followed by up to 62 letters, digits, hyphens and underscores',
  HALF_CHARACTER: 'contains an unpaired surrogate',
  HEAD_HAS_NO_TEXT: 'requires the method GET: a HEAD response has no body',
  HOOK_ADDRESS: 'must be a URL such as https://hooks.example.com/x',
  HOST: 'must be a hostname or an IP address',
  HOST_KEY: 'must be a public host key such as ssh-ed25519 AAAA…',
  IDENTIFIER: 'is not a valid identifier',
  IMAGE_REFERENCE: 'must be the name of an image such as ghcr.io/org/app:1.2',
  IMAP_PORT: 'must be 993, 143, or 1024 to 65535',
  IP_ADDRESS: 'must be an IP address such as 203.0.113.7',
  KEEP_ONE_BACKUP: 'must keep at least one backup',
  LETTERS_WITHOUT_SPACES: 'must be letters and digits without spaces',
  LISTED_SENDER:
    'must be an address such as ann@example.com, or a domain such as example.com, which includes its subdomains',
  LOCAL_PART:
    'must consist of letters, digits and . _ -, must not start with . or -, and must not contain .. or end with a dot',
  MAILBOX_AS_PASSWORD: 'must not be the mailbox address',
  MAIL_SERVER_NAME: 'is reserved for the mail server itself',
  MODE: 'must be three octal digits, such as 644',
  NOTHING_TO_CHANGE: 'must change something',
  NUL: 'must not contain a NUL character',
  ONE_LINE: 'must be a single line',
  OTHER_NEW_PASSWORD: 'does not match the new password',
  OTHER_PASSWORD: 'does not match the password',
  PATH_PREFIX: 'must be a path such as /app, without a trailing slash, with letters, digits and . _ ~ - only',
  PEM_CERTIFICATE: 'must be a certificate in PEM format',
  PLAIN_TEXT: 'must not contain control characters other than tabs and line breaks',
  PRIVATE_KEY: 'must be a private key in PEM format without a passphrase',
  PROCESS_NAME: 'must be 1 to 30 letters, digits, hyphens and underscores, and start with a letter or digit',
  PROJECT_FOR_VARIABLES: 'requires a projectId, because variables belong to a project',
  PROJECT_NAME: 'must consist of lowercase letters, digits and hyphens, and start and end with a letter or digit',
  PUNYCODE_NAME: 'must not start with xn--, which browsers display as a different name',
  RELATIVE_PATH: 'must be a path below the project’s files, without . and .. parts',
  RULE_HEADER_VALUE: 'must consist of printable ASCII characters',
  RULE_PATH: 'must be a path such as /blog, without .. or //, with letters, digits, . _ ~ @ , + = : - and %XX only',
  RULE_PATH_DEPTH: 'must have at most 8 segments',
  RULE_PATH_ENCODED: 'must not contain %: only redirects and rewrites compare the encoded path',
  RULE_TARGET: 'must be a URL such as https://www.example.com/blog or a path such as /blog',
  RULE_TEST_URL: 'must be a URL such as https://shop.example.com/cart',
  RULE_USERNAME: 'must consist of printable ASCII characters other than : and space',
  SINGLE_LINE: 'must be a single line without control characters',
  SLUG: 'must consist of lowercase letters and digits, separated by single hyphens',
  STATUS_SET: 'must be status codes and ranges such as 200-399,401',
  TIME_ZONE: 'is not a known time zone',
  TOPIC: 'must consist of letters, digits, _ and -',
  TWICE: 'must not contain an entry twice',
  UNICODE: 'must be well-formed Unicode',
  UPTIME_PATH: 'must start with / and contain only printable ASCII characters, without # and spaces',
  VALUE_OF_64_KIB: 'must be at most 64 KiB',
  VARIABLE_NAME: 'must start with a letter or underscore, followed by letters, digits and underscores',
  VOLUME_NAME: 'must be 1 to 30 lowercase letters, digits and hyphens, and start and end with a letter or digit',
  VOLUME_PATH: 'must be an absolute path such as /app/uploads, without a slash at the end',
  WEB_ADDRESS: 'must be a URL without a username, query and fragment, such as https://backup.example.net',
  WORKER_NAME: 'must not be web or release, which are not workers',
  WELL_FORMED: 'must be well-formed text'
} as const

const all = { ...general, ...words, ...recordWords }

export type DetailCode = keyof typeof all
export const detailCodes = Object.keys(all) as [DetailCode, ...DetailCode[]]

const codeOfWords: ReadonlyMap<string, DetailCode> = new Map(
  Object.entries(all).flatMap(([code, says]) => (typeof says === 'string' ? [[says, code as DetailCode] as const] : []))
)

export function sentenceOf({ code, values = {} }: Described): string {
  const says = all[code]
  return typeof says === 'string' ? says : says(values)
}

/** The code of a known message; INVALID for any other. */
export const codeOf = (message: string): DetailCode => codeOfWords.get(message) ?? 'INVALID'

const quoted = (values: readonly unknown[]): string => values.map(String).join(', ')

const types: Readonly<Record<string, DetailCode>> = {
  string: 'TEXT_EXPECTED',
  number: 'NUMBER_EXPECTED',
  int: 'WHOLE_NUMBER_EXPECTED',
  boolean: 'BOOLEAN_EXPECTED',
  array: 'LIST_EXPECTED',
  object: 'OBJECT_EXPECTED',
  record: 'OBJECT_EXPECTED',
  null: 'NULL_EXPECTED'
}

const formats: Readonly<Record<string, DetailCode>> = {
  email: 'EMAIL',
  url: 'URL',
  ipv4: 'IPV4',
  ipv6: 'IPV6',
  datetime: 'DATE_TIME',
  date: 'DATE',
  json_string: 'JSON'
}

const lengths = {
  string: { few: 'TOO_SHORT', many: 'TOO_LONG', other: 'OTHER_LENGTH' },
  array: { few: 'TOO_FEW', many: 'TOO_MANY', other: 'OTHER_NUMBER' }
} as const
const lengthsOf = (origin: string) =>
  origin === 'string' ? lengths.string : ['array', 'set', 'map'].includes(origin) ? lengths.array : undefined

type IssueOf<C extends IssueCode> = Extract<Issue, { code: C }>

const describers: { readonly [C in IssueCode]: (issue: IssueOf<C>) => Described } = {
  invalid_type: ({ input, expected }) => ({
    code: input === undefined ? 'MISSING' : (types[expected] ?? 'OTHER_TYPE')
  }),
  invalid_value: ({ input, values }) =>
    input === undefined
      ? { code: 'MISSING' }
      : values.length > 15
        ? { code: 'NOT_KNOWN' }
        : { code: values.length === 1 ? 'ONLY' : 'ONE_OF', values: { names: quoted(values) } },
  too_small({ origin, minimum, inclusive, exact }): Described {
    const of = lengthsOf(origin)
    if (of === undefined) return { code: inclusive === false ? 'MORE_THAN' : 'AT_LEAST', values: { limit: Number(minimum) } } // oxfmt-ignore
    const count = Number(minimum)
    if (count === 1) return { code: 'EMPTY' }
    return { code: exact ? of.other : of.few, values: { count } }
  },
  too_big({ origin, maximum, inclusive, exact }): Described {
    const of = lengthsOf(origin)
    if (of) return { code: exact ? of.other : of.many, values: { count: Number(maximum) } }
    if (maximum >= Number.MAX_SAFE_INTEGER) return { code: 'TOO_LARGE_NUMBER' }
    return { code: inclusive === false ? 'LESS_THAN' : 'AT_MOST', values: { limit: Number(maximum) } }
  },
  invalid_format: ({ format }) => ({ code: formats[format] ?? 'OTHER_FORM' }),
  not_multiple_of: ({ divisor }) => ({ code: 'MULTIPLE_OF', values: { limit: Number(divisor) } }),
  unrecognized_keys: ({ keys }) => ({ code: 'UNKNOWN_MEMBERS', values: { names: quoted(keys) } }),
  invalid_key: () => ({ code: 'NAME_IN_IT' }),
  invalid_element: () => ({ code: 'ENTRY_IN_IT' }),
  invalid_union: () => ({ code: 'NO_FORM' }),
  custom: () => ({ code: 'INVALID' })
}

/** A custom message decides the code; a reported issue no longer has its input. */
export function describe(issue: Issue): Described {
  const { message } = issue
  if (message === general.MISSING) return { code: 'MISSING' }
  const known = message === undefined ? issue : { ...issue, input: null }
  const described = (describers[issue.code] as (issue: object) => Described)(known)
  return message === undefined || message === sentenceOf(described) ? described : { code: codeOf(message) }
}
