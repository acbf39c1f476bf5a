import { type Webmail, WebmailQueryError } from '../../src/infra/webmail/webmail.ts'

/** Logins of the webmail; undefined if its database cannot be read. */
export interface MemoryWebmail extends Webmail {
  logins: Map<string, Date>
  isBroken: boolean
}

export function createMemoryWebmail(): MemoryWebmail {
  return {
    logins: new Map(),
    isBroken: false,
    async ensure() {},
    async remove() {},
    async lastLogins(addresses) {
      if (this.isBroken) throw new WebmailQueryError('The webmail database cannot be read')
      return new Map([...this.logins].filter(([address]) => addresses.includes(address)))
    }
  }
}
