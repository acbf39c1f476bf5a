import { AdapterError } from '../adapter-error.ts'
import type { MailFilter } from '../mail-filter/mail-filter.ts'
import type { MailboxCopier } from '../mailbox-copier/mailbox-copier.ts'
import type { MailSigner } from '../mail-signer/mail-signer.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { MailCertificates } from './mail-certificates.ts'
import type { MailQueue } from './mail-queue.ts'
import type { MailServer } from './mail-server.ts'

const refuse = async (): Promise<never> => {
  throw new AdapterError('mail-server-unavailable', 'Mail is disabled on this server', {
    remedy: 'TURN_ON_MAIL'
  })
}

/** For MAIL=off: nothing exists, and every change is rejected. */
export const createNoMailServer = (): MailServer => ({
  ping: refuse,
  putDomain: refuse,
  removeDomain: refuse,
  listDomains: refuse,
  endSessions: refuse,
  readUsage: refuse,
  probe: async () => ({
    smtp: { port25Open: false, port465Open: false, port587Open: false, tlsEnforced: false },
    imap: { port143Open: false, port993Open: false, tlsEnforced: false, saslAuthConnected: false }
  }),
  submit: refuse,
  setAside: refuse,
  putBack: refuse,
  keepRestored: refuse,
  readKept: refuse,
  purge: refuse,
  exportMaildir: refuse,
  exportKept: refuse,
  openMailbox: refuse
})

export const createNoMailQueue = (): MailQueue => ({
  list: refuse,
  find: refuse,
  listHeld: refuse,
  delete: refuse,
  flushAll: refuse,
  flush: refuse,
  hold: refuse,
  release: refuse
})

export const createNoDeliveryLog = (): DeliveryLog => ({ search: refuse, count: refuse })

export const createNoMailSigner = (): MailSigner => ({
  ping: refuse,
  makeKey: refuse,
  putKeys: refuse,
  removeKeys: refuse,
  listSigning: refuse
})

export const createNoMailCertificates = (): MailCertificates => ({ sync: refuse })

export function createNoMailFilter(why: string, remedy: 'TURN_ON_MAIL' | 'TURN_ON_SPAM_FILTER'): MailFilter {
  const refuseIt = async (): Promise<never> => {
    throw new AdapterError('mail-server-unavailable', why, { remedy })
  }
  return {
    ping: refuseIt,
    putSettings: refuseIt,
    removeSettings: refuseIt,
    listDomains: async () => [],
    readHeld: async () => new Map(),
    listHeld: async () => [],
    markNotified: async () => {},
    forgetHeld: async () => {}
  }
}
export const createNoMailboxCopier = (): MailboxCopier => ({ copy: refuse })
