import { connect } from 'node:net'
import { once } from 'node:events'
import { deliveryCheckTexts } from '@panel/contract/delivery-check-texts'
import { sentenceText } from '@panel/contract/sentences'
import { oneLine } from '../../text/one-line.ts'
import { AdapterError } from '../adapter-error.ts'
import type { MailPaths } from './mail-paths.ts'
import type { PanelMessage } from './mail-server.ts'

const timeoutMs = 30_000

export async function submitToPostfix(
  { postfix }: Pick<MailPaths, 'postfix'>,
  { sender, recipient, message }: PanelMessage
): Promise<string> {
  const { createTransport } = await import('nodemailer')
  const socket = connect(postfix.submissions)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) })
    const transport = createTransport({
      connection: socket,
      ignoreTLS: true,
      name: 'localhost',
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs
    })
    const { response } = await transport.sendMail({ envelope: { from: sender, to: [recipient] }, raw: message })
    const id = /queued as (\w+)/.exec(response)?.[1]
    if (id === undefined) throw new Error(`Unexpected response of the mail server: ${response.slice(0, 200)}`)
    return id
  } catch (cause) {
    const { response } = cause as { response?: string }
    const sentence =
      response === undefined
        ? deliveryCheckTexts.SERVER_SILENT
        : sentenceText(deliveryCheckTexts, [{ code: 'SERVER_REFUSED', values: { answer: oneLine(response, 500) } }])
    throw new AdapterError('mail-server-unavailable', sentence, { cause })
  } finally {
    socket.destroy()
  }
}
