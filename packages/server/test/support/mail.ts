import type { Mailbox, MailAlias } from '@panel/contract/mailboxes'
import type { MemoryMailServer } from '../fakes/memory-mail-server.ts'
import type { Client, TestPanel } from './panel.ts'

/** Unwraps the transaction guard; tests read and set members of the fake. */
export const mailServerOf = (panel: TestPanel) => panel.deps.mailServer as MemoryMailServer

export const mailPassword = 'a password of a mailbox'

export const createMailbox = (by: Client, domainId: string, values: object = {}) =>
  by.request('POST', '/api/mailboxes', { domainId, localPart: 'ann', password: mailPassword, ...values })

export async function newMailbox(by: Client, domainId: string, values: object = {}): Promise<Mailbox> {
  const answer = await createMailbox(by, domainId, values)
  if (answer.statusCode !== 201) throw new Error(`no mailbox: ${answer.body}`)
  return answer.json<Mailbox>()
}

export const createAlias = (by: Client, domainId: string, localPart: string, ...targets: string[]) =>
  by.request('POST', '/api/mail/aliases', { domainId, localPart, targets })

export async function newAlias(
  by: Client,
  domainId: string,
  localPart: string,
  ...targets: string[]
): Promise<MailAlias> {
  const answer = await createAlias(by, domainId, localPart, ...targets)
  if (answer.statusCode !== 201) throw new Error(`no alias: ${answer.body}`)
  return answer.json<MailAlias>()
}

export const outcome = (answer: {
  statusCode: number
  json: () => { code?: string }
}): [number, string | undefined] => [answer.statusCode, answer.json().code]

let domains = 0
export const uniqueDomain = (): string => `mail${++domains}.example.com`
