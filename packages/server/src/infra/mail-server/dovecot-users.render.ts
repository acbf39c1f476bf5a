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
      return `${localPart}@${name}:${password}::::::userdb_quota_rule=*:storage=${wholeValue(quotaMb)}M:messages=${maxMessages(quotaMb)}\n`
    })
    .join('')
}
