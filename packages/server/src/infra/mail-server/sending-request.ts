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

/** Postfix takes no more for one message. */
const maxRecipients = 1_000

/**
 * What Postfix says on one connection. It names each recipient, and whoever is connected may name thousands and send nothing: so they are only
 * remembered, of one message, until it asks for the message itself: of a log-in before the text comes (DATA), of a stranger when it is all there.
 * It speaks of one message after the other on a connection, so that what is remembered of the one before is never asked for again. The answer is the
 * message that there is something to decide about; undefined of any other question.
 */
export function createConversation(): (text: string) => SendingRequest | undefined {
  let message = { instance: '', to: new Set<string>() }
  return (text) => {
    const values = valuesOf(text)
    const of = (name: string) => values.get(name) ?? ''
    if (of('request') !== 'smtpd_access_policy') return undefined
    if (of('instance') !== message.instance) message = { instance: of('instance'), to: new Set() }
    const [state, recipient, login] = [of('protocol_state'), of('recipient').toLowerCase(), of('sasl_username')]
    if (state === 'RCPT' && recipient !== '' && message.to.size < maxRecipients) message.to.add(recipient)
    if (state !== (login === '' ? 'END-OF-MESSAGE' : 'DATA')) return undefined
    const to = [...message.to]
    message.to.clear()
    const recipients = Number(of('recipient_count'))
    return {
      login: login === '' ? undefined : login,
      address: of('client_address'),
      recipients: Number.isSafeInteger(recipients) && recipients > 0 ? recipients : 1,
      to
    }
  }
}

const valuesOf = (text: string): Map<string, string> =>
  new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
