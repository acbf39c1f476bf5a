/** A mailbox on another server, and how it is opened. */
export interface CopySource {
  /** A host name, or an address. */
  host: string
  port: number
  /** TLS from the first byte on, or after STARTTLS; never without, and never with a certificate that does not hold. */
  security: 'TLS' | 'STARTTLS'
  username: string
  password: string
}

/**
 * How far a folder is: all messages of the source up to `lastUid` are here. What has come to the folder here from `targetUidNext` on may be
 * messages of the source, too, whose arrival nobody has written down.
 */
export interface FolderPosition {
  /** As the source names it. */
  path: string
  /** Of the source: with another one its numbers mean other messages (RFC 9051 §2.3.1.1). */
  uidValidity: number
  lastUid: number
  /** The folder here. */
  target: string
  targetUidValidity: number
  targetUidNext: number
}

export interface CopyTask {
  /** Letters, digits, `_` and `-`: no two of them are under way at once. */
  id: string
  source: CopySource
  /** Of the mailbox here. */
  address: string
  /** As the source names them; without, all that hold messages of their own. */
  folders: readonly string[] | undefined
  positions: readonly FolderPosition[]
}

/** What a folder or some of its messages were left out for. */
export type LeftOut =
  /** It shows messages of other folders (\All, \Flagged). */
  | 'view'
  /** The source does not open it, or its name cannot be read. */
  | 'unreadable'
  /** Larger than what is taken. */
  | 'message-too-large'

export type CopyEvent =
  /** What there is to do from here on, once it has been counted. */
  | { type: 'planned'; folders: number; messages: number; bytes: number }
  /** The folder is so far; `messages` and `bytes` of it have come since the event before. */
  | { type: 'position'; position: FolderPosition; messages: number; bytes: number }
  | { type: 'folder-done' }
  | { type: 'left-out'; folder: string; reason: LeftOut; messages: number }
  /** It lives, and has nothing else to say. */
  | { type: 'alive' }

export const copyProblems = [
  /** The source is at an address that is not of the Internet, or this machine's. */
  'address-refused',
  'host-unknown',
  'unreachable',
  'certificate-refused',
  'no-tls',
  'log-in-refused',
  /** `detail`: those that it does not have. */
  'folder-missing',
  'too-many-folders',
  'too-many-messages',
  /** Beyond the limits of what is read from it. */
  'source-misbehaves',
  'connection-lost',
  /** Nothing has come for minutes. */
  'source-stalls',
  'mailbox-full',
  'mail-server-unavailable',
  /** The caller's signal. */
  'aborted'
] as const
export type CopyProblem = (typeof copyProblems)[number]

/** `detail` is the other server's, on one line, at most 200 characters. */
export type CopyOutcome = { problem: undefined; detail?: undefined } | { problem: CopyProblem; detail?: string }

/**
 * Copies mailboxes of other servers into ours by IMAP. What is copied is never copied again, wherever it was cut off, as long as the
 * positions that it told are kept: each event is handled before the next one comes, and a folder's first position before its first
 * message. Never rejects for what the other server does.
 */
export interface MailboxCopier {
  copy(
    task: CopyTask,
    options: { onEvent: (event: CopyEvent) => Promise<unknown>; signal: AbortSignal }
  ): Promise<CopyOutcome>
}
