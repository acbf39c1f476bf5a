export interface SendingRequest {
  /** Authenticated mailbox; undefined for incoming mail. */
  login: string | undefined
  address: string
  recipients: number
  to: readonly string[]
}

/** Action for Postfix (access(5)); undefined: accept. */
export type PolicyAnswer = Promise<string | undefined>

export interface SendingPolicy {
  decide(request: SendingRequest): PolicyAnswer
  /** Decides on one recipient. `to`: recipients of the message so far, including this one. */
  decideRecipient(recipient: string, to: ReadonlySet<string>): PolicyAnswer
}

const maxRecipients = 1_000

/**
 * State of one policy connection. Postfix reports each recipient (RCPT); clients may name thousands and send nothing.
 * Accepted recipients of the current message are collected until Postfix asks about the message itself: at DATA for
 * authenticated clients, at the end of the message for others. Messages on a connection are sequential. Returns
 * undefined if there is nothing to decide.
 */
export function createConversation(policy: SendingPolicy): (text: string) => (() => PolicyAnswer) | undefined {
  let message = { instance: '', to: new Set<string>() }
  const name = async (recipient: string, to: Set<string>) => {
    if (to.has(recipient)) return undefined
    to.add(recipient)
    const answer = await policy.decideRecipient(recipient, to)
    if (answer !== undefined) to.delete(recipient)
    return answer
  }
  return (text) => {
    const values = valuesOf(text)
    const of = (name: string) => values.get(name) ?? ''
    if (of('request') !== 'smtpd_access_policy') return undefined
    if (of('instance') !== message.instance) message = { instance: of('instance'), to: new Set() }
    const [state, recipient, login] = [of('protocol_state'), of('recipient').toLowerCase(), of('sasl_username')]
    if (state === 'RCPT' && recipient !== '' && message.to.size < maxRecipients)
      return () => name(recipient, message.to)
    if (state !== (login === '' ? 'END-OF-MESSAGE' : 'DATA')) return undefined
    const to = [...message.to]
    message.to.clear()
    const recipients = Number(of('recipient_count'))
    return () =>
      policy.decide({
        login: login === '' ? undefined : login,
        address: of('client_address'),
        recipients: Number.isSafeInteger(recipients) && recipients > 0 ? recipients : 1,
        to
      })
  }
}

const valuesOf = (text: string): Map<string, string> =>
  new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
