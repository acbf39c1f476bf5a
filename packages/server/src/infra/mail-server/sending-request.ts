/** A message that is about to be taken. */
export interface SendingRequest {
  /** Who has logged in; undefined where nobody has. */
  login: string | undefined
  /** Of the client. */
  address: string
  recipients: number
  /** In lower case, each once. */
  to: readonly string[]
}

/** What Postfix is to answer (access(5)); undefined where it is to go on. */
export type PolicyAnswer = Promise<string | undefined>

export interface SendingPolicy {
  /** Of a message that is about to be taken, for all of its recipients. */
  decide(request: SendingRequest): PolicyAnswer
  /** Of one recipient more, for itself. `to` are those of the message so far, with this one. */
  decideRecipient(recipient: string, to: ReadonlySet<string>): PolicyAnswer
}

/** Postfix takes no more for one message. */
const maxRecipients = 1_000

/**
 * What Postfix says on one connection. It names each recipient, and whoever is connected may name thousands and send nothing: so they are
 * remembered, of one message, unless they are refused, until it asks for the message itself: of a log-in before the text comes (DATA), of a stranger
 * when it is all there. It speaks of one message after the other on a connection, and waits for each answer. The answer here is how the question
 * is decided; undefined where there is nothing to decide.
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
