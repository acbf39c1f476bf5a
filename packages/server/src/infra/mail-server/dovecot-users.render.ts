import { assertLocalPart, assertMailDomain } from './mail-names.ts'
import type { ServedMailDomain } from './mail-server.ts'
import { wholeValue } from './mail-values.ts'

/** Argon2id in PHC form; the fields of a line are separated by colons. */
const hashPattern = /^\$argon2id\$v=19\$m=(\d{1,6}),t=\d{1,3},p=\d{1,2}\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/
const maxHashMemory = 262_144

/** No password is right for it: mail comes in, and nobody logs in. */
const noPassword = '{CRYPT}*'

/** A message takes a block of the disk, however small it is. */
const maxMessages = (quotaMb: number): number => Math.max(1_000, wholeValue(quotaMb) * 256)

/** The file of the domain: a line for each mailbox. Throws on a value that has no place in it. */
export function renderDovecotUsers({ name, isSuspended, mailboxes }: ServedMailDomain): string {
  assertMailDomain(name)
  return mailboxes
    .map(({ localPart, passwordHash, quotaMb, mayLogIn }) => {
      assertLocalPart(localPart)
      const memory = Number(hashPattern.exec(passwordHash)?.[1])
      if (!(memory <= maxHashMemory)) throw new TypeError(`Not a hash that Dovecot takes, of ${localPart}@${name}`)
      const password = mayLogIn && !isSuspended ? `{ARGON2ID}${passwordHash}` : noPassword
      return `${localPart}@${name}:${password}::::::userdb_quota_rule=*:storage=${wholeValue(quotaMb)}M:messages=${maxMessages(quotaMb)}\n`
    })
    .join('')
}
