import { assertLocalPart, assertMailDomain } from './mail-names.ts'
import type { ServedMailDomain } from './mail-server.ts'
import { wholeValue } from './mail-values.ts'

/** Argon2id in PHC format, without characters that need escaping in a passwd file. */
const hashPattern = /^\$argon2id\$v=19\$m=(\d{1,6}),t=\d{1,3},p=\d{1,2}\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/
const maxHashMemory = 262_144

/** Matches no password: the mailbox receives mail, but rejects logins. */
const noPassword = '{CRYPT}*'

/** Even the smallest message uses a disk block. */
const maxMessages = (quotaMb: number): number => Math.max(1_000, wholeValue(quotaMb) * 256)

export function renderDovecotUsers({ name, isSuspended, mailboxes }: ServedMailDomain): string {
  assertMailDomain(name)
  return mailboxes
    .map(({ localPart, passwordHash, quotaMb, mayLogIn }) => {
      assertLocalPart(localPart)
      const memory = Number(hashPattern.exec(passwordHash)?.[1])
      if (!(memory <= maxHashMemory)) throw new TypeError(`Unsupported password hash of ${localPart}@${name}`)
      const password = mayLogIn && !isSuspended ? `{ARGON2ID}${passwordHash}` : noPassword
      const [storage, messages] = [`${wholeValue(quotaMb)}M`, maxMessages(quotaMb)]
      // Each version of Dovecot reads the one and ignores the other.
      const quota23 = `userdb_quota_rule=*:storage=${storage}:messages=${messages}`
      const quota24 = `userdb_quota_storage_size=${storage} userdb_quota_message_count=${messages}`
      return `${localPart}@${name}:${password}::::::${quota23} ${quota24}\n`
    })
    .join('')
}
