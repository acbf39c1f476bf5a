import { AdapterError } from '../adapter-error.ts'
import type { MailSigner } from '../mail-signer/mail-signer.ts'
import type { MailCertificates } from './mail-certificates.ts'
import type { MailQueue } from './mail-queue.ts'
import type { MailServer } from './mail-server.ts'

const refuse = async (): Promise<never> => {
  throw new AdapterError('mail-server-unavailable', 'This panel runs without mail (MAIL=off)')
}

/** In place of the servers where there are none (MAIL=off): nothing is there, and nothing can be changed. */
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
  setAside: refuse,
  putBack: refuse,
  readKept: refuse,
  purge: refuse,
  exportMaildir: refuse
})

export const createNoMailQueue = (): MailQueue => ({
  list: refuse,
  delete: refuse,
  flushAll: refuse,
  flush: refuse,
  hold: refuse,
  release: refuse
})

export const createNoMailSigner = (): MailSigner => ({
  ping: refuse,
  putKeys: refuse,
  removeKeys: refuse,
  listSigning: refuse
})

export const createNoMailCertificates = (): MailCertificates => ({ sync: refuse })
