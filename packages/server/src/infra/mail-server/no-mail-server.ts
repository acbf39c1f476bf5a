import { AdapterError } from '../adapter-error.ts'
import type { MailServer } from './mail-server.ts'

/** In place of the servers where there are none (MAIL=off): nothing is there, and nothing can be changed. */
export function createNoMailServer(): MailServer {
  const refuse = async (): Promise<never> => {
    throw new AdapterError('mail-server-unavailable', 'This panel runs without mail (MAIL=off)')
  }
  return {
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
  }
}
