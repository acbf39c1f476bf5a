export interface CopySource {
  host: string
  port: number
  /** Implicit TLS or STARTTLS; always with a valid certificate. */
  security: 'TLS' | 'STARTTLS'
  username: string
  password: string
}

/** Messages up to `lastUid` have been copied. Those from `targetUidNext` on may be unreported copies. */
export interface FolderPosition {
  path: string
  /** UIDVALIDITY of the source folder: if it changes, UIDs are meaningless (RFC 9051 §2.3.1.1). */
  uidValidity: number
  lastUid: number
  target: string
  targetUidValidity: number
  targetUidNext: number
}

export interface CopyTask {
  /** Letters, digits, `_` and `-`; unique among running copies. */
  id: string
  source: CopySource
  address: string
  /** Source folder names; undefined: all. */
  folders: readonly string[] | undefined
  positions: readonly FolderPosition[]
}

export type LeftOut =
  /** Virtual folder (\All, \Flagged). */
  | 'view'
  /** The source denies access, or the name is invalid. */
  | 'unreadable'
  | 'message-too-large'

export type CopyEvent =
  /** Remaining work, once counted. */
  | { type: 'planned'; folders: number; messages: number; bytes: number }
  /** New position; `messages` and `bytes` since the previous event. */
  | { type: 'position'; position: FolderPosition; messages: number; bytes: number }
  | { type: 'folder-done' }
  | { type: 'left-out'; folder: string; reason: LeftOut; messages: number }
  | { type: 'alive' }

export const copyProblems = [
  /** The address of the source is private or belongs to this server. */
  'address-refused',
  'host-unknown',
  'unreachable',
  'certificate-refused',
  'no-tls',
  'log-in-refused',
  /** `detail`: the missing folders. */
  'folder-missing',
  'too-many-folders',
  'too-many-messages',
  /** The source exceeded the limits. */
  'source-misbehaves',
  'connection-lost',
  'source-stalls',
  'mailbox-full',
  'mail-server-unavailable',
  'aborted'
] as const
export type CopyProblem = (typeof copyProblems)[number]

/** `detail`: response of the source, one line, at most 200 characters. */
export type CopyOutcome = { problem: undefined; detail?: undefined } | { problem: CopyProblem; detail?: string }

/**
 * Copies mailboxes from other servers over IMAP. Resumable: nothing is copied twice if the reported positions are
 * stored. Events are awaited one by one, and a folder's first position is reported before its first message. Never
 * rejects because of the source's behavior.
 */
export interface MailboxCopier {
  copy(
    task: CopyTask,
    options: { onEvent: (event: CopyEvent) => Promise<unknown>; signal: AbortSignal }
  ): Promise<CopyOutcome>
}
