import type { CopyProblem, LeftOut } from '../../infra/mailbox-copier/mailbox-copier.ts'

interface Source {
  host: string
  port: number
}

interface ProblemWords {
  /** It may be otherwise the next time. */
  isPassing?: true
  sentence: (source: Source, detail: string) => string
}

const inBrackets = (detail: string): string => (detail === '' ? '' : ` (${detail})`)
const message = (detail: string): string => inBrackets(detail && `it said: ${detail}`)
const again = 'Import again with it; what has come already is not copied twice'

const problems: Readonly<Record<Exclude<CopyProblem, 'aborted'>, ProblemWords>> = {
  'address-refused': {
    sentence: ({ host }) =>
      `${host} leads to a private address or to this server itself, which imports do not reach; name a host of the Internet, or have the administrator add its address to MAILBOX_IMPORT_ALLOW`
  },
  'host-unknown': {
    isPassing: true,
    sentence: ({ host }) => `No address was found for ${host}; check how it is written`
  },
  unreachable: {
    isPassing: true,
    sentence: ({ host, port }, detail) =>
      `${host} does not answer at port ${port}${inBrackets(detail)}; check the port (993 with TLS, 143 with STARTTLS) and whether it lets this server in`
  },
  'certificate-refused': {
    sentence: ({ host }, detail) =>
      `The certificate of ${host} does not hold${inBrackets(detail)}; use the host name that its provider gives, which its certificate is for`
  },
  'no-tls': {
    sentence: ({ host, port }) =>
      `${host} does not speak TLS in this way at port ${port}; choose security TLS with port 993, or STARTTLS with port 143`
  },
  'log-in-refused': {
    sentence: ({ host }, detail) =>
      `${host} refused the user name or the password${message(detail)}; some providers want a password for applications, or IMAP to be switched on. ${again}`
  },
  'folder-missing': {
    sentence: (_source, detail) => `There is no folder ${detail} there; leave folders out to take all`
  },
  'too-many-folders': {
    sentence: (_source, detail) =>
      `There are ${detail} folders, more than are taken at once; name those that you want in folders`
  },
  'too-many-messages': {
    sentence: (_source, detail) =>
      `The folder ${detail} has more than a million messages; divide it there and import again`
  },
  'source-misbehaves': {
    sentence: ({ host }) =>
      `${host} sent more than any mail server has reason to, or what no mail program understands; ask its provider`
  },
  'connection-lost': {
    isPassing: true,
    sentence: ({ host }, detail) => `The connection to ${host} broke${message(detail)}. Import again to continue`
  },
  'source-stalls': {
    isPassing: true,
    sentence: ({ host }) => `${host} said nothing for minutes. Import again to continue`
  },
  'mailbox-full': {
    sentence: () => 'The mailbox is full. Give it a larger quota, or delete something, and import again: it continues'
  },
  'mail-server-unavailable': {
    isPassing: true,
    sentence: () => 'The mail server here does not take the messages. Import again to continue'
  }
}

/** Tries in a row that bring nothing, each after such a pause. */
const pausesSeconds = [10, 30, 60, 300, 900, 1_800, 3_600] as const
const longestMs = 7 * 24 * 3600_000

export interface Attempt extends Source {
  createdAt: Date
  /** Tries before this one that brought nothing. */
  failures: number
}

/** What becomes of an import after a try that ended with the problem: it has failed, or is tried again after a while. */
export function afterProblem(
  problem: Exclude<CopyProblem, 'aborted'>,
  detail: string | undefined,
  attempt: Attempt,
  now: Date
): { reason: string; retryAt: Date | undefined } {
  const { isPassing, sentence } = problems[problem]
  const reason = sentence(attempt, detail ?? '')
  const pause = pausesSeconds[attempt.failures]
  const isTooOld = now.getTime() - attempt.createdAt.getTime() > longestMs
  const isTriedAgain = isPassing === true && pause !== undefined && !isTooOld
  return { reason, retryAt: isTriedAgain ? new Date(now.getTime() + pause * 1_000) : undefined }
}

const leftOutWords: Readonly<Record<LeftOut, string>> = {
  view: 'It shows messages of other folders, which are copied where they lie',
  unreadable: 'The other server does not give it out, or its name cannot be read',
  'message-too-large': 'Larger than a message may be here'
}
export const whyLeftOut = (reason: LeftOut): string => leftOutWords[reason]
