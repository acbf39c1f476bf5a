import type { CopyProblem, LeftOut } from '../../infra/mailbox-copier/mailbox-copier.ts'

interface Source {
  host: string
  port: number
}

interface ProblemWords {
  /** Worth retrying. */
  isPassing?: true
  sentence: (source: Source, detail: string) => string
}

const inBrackets = (detail: string): string => (detail === '' ? '' : ` (${detail})`)
const message = (detail: string): string => inBrackets(detail && `it responded: ${detail}`)
const again = 'Then start the import again; messages that were already copied are skipped'

const problems: Readonly<Record<Exclude<CopyProblem, 'aborted'>, ProblemWords>> = {
  'address-refused': {
    sentence: ({ host }) =>
      `${host} resolves to a private address or to this server, which imports cannot reach. Use a public host, or ask an administrator to add its address to the private import sources`
  },
  'host-unknown': {
    isPassing: true,
    sentence: ({ host }) => `${host} could not be resolved. Check the hostname`
  },
  unreachable: {
    isPassing: true,
    sentence: ({ host, port }, detail) =>
      `${host} is not responding on port ${port}${inBrackets(detail)}. Check the port (993 with TLS, 143 with STARTTLS) and the firewall of that server`
  },
  'certificate-refused': {
    sentence: ({ host }, detail) =>
      `The certificate of ${host} is invalid${inBrackets(detail)}. Use the IMAP hostname that the provider specifies`
  },
  'no-tls': {
    sentence: ({ host, port }) =>
      `${host} does not support this type of TLS on port ${port}. Use TLS with port 993, or STARTTLS with port 143`
  },
  'log-in-refused': {
    sentence: ({ host }, detail) =>
      `${host} rejected the username or password${message(detail)}. Some providers require an app password or IMAP to be enabled. ${again}`
  },
  'folder-missing': {
    sentence: (_source, detail) =>
      `The folder ${detail} does not exist on the source server. Omit folders to import all`
  },
  'too-many-folders': {
    sentence: (_source, detail) =>
      `There are ${detail} folders, too many for one import. List the ones you want in folders`
  },
  'too-many-messages': {
    sentence: (_source, detail) =>
      `The folder ${detail} has more than a million messages. Split it on the source server and start the import again`
  },
  'source-misbehaves': {
    sentence: ({ host }) => `${host} sent invalid or far too much data. Contact its provider`
  },
  'connection-lost': {
    isPassing: true,
    sentence: ({ host }, detail) =>
      `The connection to ${host} was lost${message(detail)}. Start the import again to continue`
  },
  'source-stalls': {
    isPassing: true,
    sentence: ({ host }) => `${host} stopped responding. Start the import again to continue`
  },
  'mailbox-full': {
    sentence: () => 'The mailbox is full. Raise its quota or delete messages, then start the import again to continue'
  },
  'mail-server-unavailable': {
    isPassing: true,
    sentence: () => 'The mail server did not accept the messages. Start the import again to continue'
  }
}

/** Pauses between consecutive attempts without progress. */
const pausesSeconds = [10, 30, 60, 300, 900, 1_800, 3_600] as const
const longestMs = 7 * 24 * 3600_000

export interface Attempt extends Source {
  createdAt: Date
  /** Consecutive attempts without progress. */
  failures: number
}

/** Failure message, and when to retry; `retryAt` undefined: the import has failed. */
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
  view: 'Virtual folder; its messages are copied with the folders that contain them',
  unreadable: 'The source server denies access, or the folder name is invalid',
  'message-too-large': 'Larger than the maximum message size'
}
export const whyLeftOut = (reason: LeftOut): string => leftOutWords[reason]
